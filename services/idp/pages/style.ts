import { style as base } from '#kit/pages/style.ts'

/** The look of the login's pages. */
export const style = `${base}
figure { margin: 1.25rem 0 .75rem; text-align: center }
figure img {
  display: block; width: 100%; max-width: 20rem; margin: 0 auto .5rem; padding: .25rem;
  background: #fff; border: 1px solid var(--line); border-radius: 12px; image-rendering: pixelated;
}
figcaption { font-weight: 600 }
.timer, .status { text-align: center; margin: .25rem 0 }
.timer time { font-weight: 600; font-variant-numeric: tabular-nums }
.status { color: var(--soft) }
ol { margin: 1rem 0; padding-left: 1.25rem; color: var(--soft) }
ul.code { padding-left: 1.1rem }
details { margin: 0 0 1.25rem }
summary { cursor: pointer; color: var(--soft); font-size: .875rem }
[data-state="success"] figure, [data-state="success"] .timer { opacity: .25 }
[data-state="success"] .status { color: var(--ink); font-weight: 600 }
`
