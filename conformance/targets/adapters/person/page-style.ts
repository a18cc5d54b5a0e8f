import { pageStyle as base } from '#core/html/page-style.ts'

/** The look of the person's pages: the code beside the words where there is room for both. */
export const pageStyle = `${base}
h1:focus { outline: none }
h2 { margin: 0 0 .75rem; font-size: 1rem }
.pin { padding: .75rem .9rem; background: var(--inset); border-radius: 12px }
.pin strong { font: 600 1.15rem/1 ui-monospace, monospace; letter-spacing: .1em }
.scan { margin: 1.25rem 0; padding: 1rem; background: var(--inset); border-radius: 16px }
.scan figure { margin: 0 }
.scan img {
  display: block; width: 100%; max-width: 21rem; margin: 0 auto; padding: .5rem;
  background: #fff; border-radius: 12px; image-rendering: pixelated;
}
.told { margin: 0 }
.told .button { margin: .6rem 0 0; background: var(--card) }
.told .button.quiet { padding: .5rem }
.refusal { margin: .9rem 0; padding: .9rem; border: 1px solid var(--line); border-radius: 16px }
textarea {
  display: block; width: 100%; padding: .65rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--soft); border-radius: 12px; resize: vertical;
}
#state { position: fixed; bottom: .5rem; margin: 0; text-align: center }
#state:empty { display: none }
@media (min-width: 46rem) {
  .task.card {
    max-width: 56rem; padding: 2.25rem; display: grid; gap: 1rem 2.5rem;
    grid-template: auto 1fr / 1fr minmax(20rem, 24rem);
  }
  .task .scan { grid-row: 1 / span 2; grid-column: 2; margin: 0; align-self: start }
}
`
