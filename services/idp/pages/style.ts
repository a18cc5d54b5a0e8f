import { pageStyle as base } from '#core/html/page-style.ts'

/** The look of the login's pages: the code beside the words where there is room for both. */
export const style = `${base}
.login h1 + p { margin-top: .25rem }
.steps { margin: 1.25rem 0 0; padding: 0; list-style: none; counter-reset: step; color: var(--soft) }
.steps li { position: relative; margin: .6rem 0; padding-left: 2.1rem; counter-increment: step }
.steps li::before {
  content: counter(step); position: absolute; left: 0; top: .05rem; width: 1.45rem; height: 1.45rem;
  display: grid; place-items: center; border-radius: 50%; background: var(--inset);
  border: 1px solid var(--line); color: var(--ink); font-size: .8rem; font-weight: 600;
}
.scan { margin: 1.25rem 0 0; padding: 1rem; background: var(--inset); border-radius: 16px }
.scan figure { margin: 0; text-align: center }
.scan img {
  display: block; width: 100%; max-width: 19rem; margin: 0 auto .75rem; padding: .25rem;
  background: #fff; border-radius: 12px; image-rendering: pixelated;
}
figcaption { font-weight: 600 }
progress {
  display: block; width: 100%; height: 4px; margin: .75rem 0 0; border: 0; border-radius: 2px;
  appearance: none; background: var(--line); overflow: hidden;
}
progress::-webkit-progress-bar { background: var(--line) }
progress::-webkit-progress-value { background: var(--accent) }
progress::-moz-progress-bar { background: var(--accent) }
.timer { margin: .6rem 0 0; text-align: center; font-size: .9rem; color: var(--soft) }
.timer time { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums }
.status {
  display: flex; align-items: center; justify-content: center; gap: .6rem; margin: .75rem 0 0;
  color: var(--soft); font-size: .9rem; text-align: center;
}
.status::before {
  content: ""; flex: none; width: .55rem; height: .55rem; border-radius: 50%;
  background: var(--accent); animation: breathe 2.4s ease-in-out infinite;
}
@keyframes breathe { 50% { opacity: .25; transform: scale(.8) } }
.same-device { margin: 1.25rem 0 0 }
.same-device p { margin: 0 }
.same-device .button { margin-top: .5rem }
.end { text-align: center }
.icon {
  display: block; width: 3.5rem; height: 3.5rem; margin: 0 auto 1rem; padding: .9rem; border-radius: 50%;
  fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round;
}
.icon.good { color: var(--good); background: var(--good-ground) }
.icon.bad { color: var(--alert); background: var(--alert-ground) }
.icon.calm { color: var(--accent); background: var(--inset) }
.end .reason { margin: 1rem 0 1.25rem; font-size: 1.05rem }
.end p { text-wrap: balance }
ul.code { margin: .5rem 0 0; padding-left: 1.1rem }
details { margin: 1.25rem 0 0; text-align: left }
summary { cursor: pointer; color: var(--soft); font-size: .875rem; border-radius: 6px }
[data-state="success"] > :not(#accepted), [data-state="pending"] > #accepted { display: none }
@media (min-width: 46rem) {
  .login.card {
    max-width: 54rem; padding: 2.5rem; display: grid; column-gap: 2.5rem;
    grid-template: auto 1fr auto / 1fr minmax(18rem, 22rem);
  }
  .login .scan { grid-row: 1 / span 3; grid-column: 2; margin: 0; padding: 1.25rem }
  .words { margin-top: 1rem }
  .leave .button.quiet { width: auto; padding-left: 0 }
  .login[data-state="success"] { display: block; max-width: 26rem }
}
@media (prefers-reduced-motion: reduce) { .status::before { animation: none } }
`
