/** The look of the pages, light and dark. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#eef1f6, #12151c);
  --card: light-dark(#ffffff, #1c212b);
  --ink: light-dark(#1a2233, #e8ecf4);
  --soft: light-dark(#5a6579, #9aa5b8);
  --line: light-dark(#cfd6e2, #343c4b);
  --accent: light-dark(#1f4fd8, #6d95ff);
  --on-accent: light-dark(#ffffff, #0d1220);
  --alert: light-dark(#a3261b, #ff9d94);
  --alert-ground: light-dark(#fdeceb, #3a1c1a);
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; max-width: 25rem; padding: 2.25rem 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 10px 30px rgb(20 30 60 / .08);
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25 }
.hint { margin: .25rem 0 1.5rem; color: var(--soft) }
.hint strong { color: var(--ink) }
h1 + .alert { margin-top: 1rem }
.alert {
  margin: 0 0 1.25rem; padding: .7rem .9rem; border-radius: 8px;
  color: var(--alert); background: var(--alert-ground);
}
.code { margin: 0; color: var(--soft); font: .8rem ui-monospace, monospace }
label { display: block; margin: 0 0 .3rem; font-weight: 600; font-size: .9rem }
input {
  width: 100%; margin: 0 0 1rem; padding: .65rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: 8px;
}
.button {
  display: block; width: 100%; margin: .25rem 0 0; padding: .75rem 1rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--accent); background: transparent; border: 1px solid var(--accent); border-radius: 8px;
}
.button.wallet { color: var(--on-accent); background: var(--accent) }
.button:hover { filter: brightness(1.08) }
:is(input, .button):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.divider { display: flex; align-items: center; gap: .75rem; margin: 1.5rem 0; color: var(--soft); font-size: .85rem }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line) }
`
