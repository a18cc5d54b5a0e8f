/** The colours of all pages, light and dark, and the font of code. */
export const colourStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#eef2f7, #10131a);
  --glow: light-dark(#dfe8f6, #182033);
  --card: light-dark(#ffffff, #1a1f29);
  --inset: light-dark(#f5f7fb, #222835);
  --ink: light-dark(#182136, #e9edf5);
  --soft: light-dark(#525d72, #a9b3c5);
  --line: light-dark(#d8dfea, #343c4b);
  --accent: light-dark(#1d4ed8, #8fb0ff);
  --on-accent: light-dark(#ffffff, #0c1426);
  --good: light-dark(#0b6b43, #7fdcb0);
  --good-ground: light-dark(#e4f5ec, #17352a);
  --alert: light-dark(#94211a, #ffb4ac);
  --alert-ground: light-dark(#fdeceb, #3a1c1a);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
`

/** The style of all pages: a card on a plain background, light and dark, mobile first. */
export const pageStyle = `${colourStyle}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: radial-gradient(90rem 45rem at 50% -10rem, var(--glow), transparent) var(--ground);
  color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere;
}
.card {
  width: 100%; max-width: 26rem; padding: 1.75rem 1.5rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 20px;
  box-shadow: 0 1px 2px rgb(20 30 60 / .06), 0 18px 48px -12px rgb(20 30 60 / .16);
}
h1 { margin: 0; font-size: 1.45rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance }
p { margin: .5rem 0 }
.soft { color: var(--soft) }
.soft strong { color: var(--ink) }
.small { font-size: .875rem }
.alert {
  margin: 1.25rem 0; padding: .75rem .9rem; border-radius: 12px;
  color: var(--alert); background: var(--alert-ground);
}
.code { color: var(--soft); font: .8rem/1.5 var(--mono); overflow-wrap: anywhere }
.languages { margin: 1rem 0 0; font-size: .875rem; text-align: center }
.languages a { color: var(--soft) }
form { margin: .75rem 0 0 }
label { display: block; margin: 0 0 .3rem; font-weight: 600; font-size: .9rem }
input {
  width: 100%; margin: 0 0 1rem; padding: .65rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--soft); border-radius: 12px;
}
.button {
  display: block; width: 100%; margin: 1rem 0 0; padding: .8rem 1rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--accent); background: transparent; border: 1px solid var(--accent); border-radius: 12px;
}
.button.primary { color: var(--on-accent); background: var(--accent) }
.button.quiet { margin: 0; color: var(--soft); border-color: transparent; font-weight: 400 }
.button:hover { text-decoration: underline }
:is(.button, .languages a, input, summary):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`
