// Does the actions of a recording with Playwright, as a plain script does.

// Roles that Chrome has and ARIA has not.
const aria = { image: 'img', presentation: 'none' };
const unknown = /^(?:[A-Z]|generic$)/;

const keys = { alt: 'Alt', ctrl: 'Control', meta: 'Meta', shift: 'Shift' };

export class Player {
  constructor(page, timeout) {
    this.page = page;
    this.timeout = timeout;
  }

  locate(t, field = false) {
    let scope = this.page;
    for (const { name, place } of t.frames) {
      const quoted = JSON.stringify(name);
      scope = name ? scope.frameLocator(`iframe:is([title=${quoted}],[name=${quoted}],[id=${quoted}],[aria-label=${quoted}])`) : scope.frameLocator('iframe').nth(place);
    }
    let found;
    if (field && t.unmatched) found = scope.getByLabel(t.name, { exact: true }); // its role is a guess of the recorder's
    else if (!t.role || unknown.test(t.role)) {
      const byText = ['StaticText', 'LabelText', 'DisclosureTriangle', 'DisclosureTriangleGrouped', 'generic', ''].includes(t.role);
      found = byText ? scope.getByText(t.name, { exact: true }) : scope.getByLabel(t.name, { exact: true });
    } else found = scope.getByRole(aria[t.role] || t.role, t.name ? { name: t.name, exact: true } : {});
    return t.nth === undefined ? found : found.nth(t.nth);
  }

  async tab(url) {
    const path = new URL(url).pathname;
    for (const until = Date.now() + this.timeout; Date.now() < until;) {
      const p = this.page.context().pages().find((p) => p.url() === url) || this.page.context().pages().find((p) => p.url().startsWith('http') && new URL(p.url()).pathname === path);
      if (p) return p;
      await new Promise((r) => setTimeout(r, 50));
    }
    throw new Error(`no tab shows ${url}`);
  }

  async act(a) {
    switch (a.op) {
      case 'navigate':
        if (a.cause === 'reload') return this.page.reload();
        return this.page.goto(a.url);
      case 'switch_tab':
        this.page = await this.tab(a.url);
        return this.page.bringToFront();
      case 'click':
        return this.locate(a.target).click();
      case 'hover':
        return this.locate(a.target).hover();
      case 'fill':
        if (a.choose) {
          await this.locate(a.target, true).pressSequentially(a.value);
          return this.page.getByText(a.choose, { exact: true }).click();
        }
        await this.locate(a.target, true).fill(a.value);
        return a.enter ? this.locate(a.target, true).press('Enter') : undefined;
      case 'select':
        return this.locate(a.target, true).selectOption(a.choices.map((c) => ({ value: c.value })));
      case 'press': {
        const chord = [...a.modifiers.map((m) => keys[m]), a.key].join('+');
        return a.target ? this.locate(a.target).press(chord) : this.page.keyboard.press(chord);
      }
    }
  }
}
