import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exchangeStyle } from './exchange-style.ts'

/** Style of the report: light and dark by the reader's preference, no external font or image. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f9, #0f1216);
  --card: light-dark(#ffffff, #171b21);
  --sunken: light-dark(#f2f4f7, #11151a);
  --edge: light-dark(#dfe3e8, #2a313a);
  --text: light-dark(#1a2027, #e4e9ef);
  --faint: light-dark(#5b6672, #97a3b0);
  --accent: light-dark(#1f5fbf, #7cb1ff);
  --good: light-dark(#17733a, #56d088);
  --bad: light-dark(#b3202c, #ff8088);
  --warn: light-dark(#8a5300, #f2b45c);
  --moved: light-dark(#6a3fb0, #bf9cff);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, 'Segoe UI', Roboto, 'Open Sans', sans-serif }
header, main { max-width: 1440px; margin: 0 auto; padding: 0 24px }
header { padding-top: 32px }
h1 { margin: 0; font-size: 34px; line-height: 1.15; letter-spacing: -.02em }
h2 { margin: 32px 0 10px; font-size: 17px; text-transform: capitalize }
h2 .faint { font-weight: 400; font-size: 14px; text-transform: none; margin-left: 6px }
h3 { margin: 24px 0 8px; font-size: 14px }
h4 { margin: 0 0 6px; font-size: 13px }
h5 { margin: 0 0 6px; font-size: 13px }
h3 .faint, h5 .faint { font-weight: 400; margin-left: 4px }
code, pre { font-family: var(--mono); font-size: 12.5px }
a { color: var(--accent) }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.faint { color: var(--faint) }
.eyebrow { margin: 0 0 2px; color: var(--faint); font-size: 13px }
.facts { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 10px 0 14px; color: var(--faint) }
.facts > * { min-width: 0; overflow-wrap: anywhere }
.tally { display: block; width: 100%; height: 8px; border-radius: 4px }
.tally .passed { fill: var(--good) } .tally .failed { fill: var(--bad) } .tally .warned { fill: var(--warn) } .tally .inconclusive { fill: var(--accent) } .tally .skipped { fill: var(--faint) }
.warning { margin: 14px 0 0; padding: 8px 12px; border-left: 4px solid var(--warn); background: var(--card); border-radius: 4px }
.filter { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 20px; align-items: center }
.filter fieldset { display: flex; flex-wrap: wrap; gap: 6px; border: 0; margin: 0; padding: 0 }
.filter label:has([type=radio]) span { display: block; padding: 5px 12px; border: 1px solid var(--edge); border-radius: 999px; background: var(--card); cursor: pointer }
.filter b { font-weight: 600; margin-left: 2px }
.filter [type=radio] { position: absolute; opacity: 0 }
.filter [type=radio]:checked + span { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); color: var(--accent) }
.filter [type=radio]:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px }
.choice { display: flex; align-items: center; gap: 8px }
.choice > span { color: var(--faint); font-size: 13px }
.choice :is(select, input) { padding: 5px 10px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: 8px }
.choice :is(select, input):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
.words { flex: 1 1 200px } .words input { flex: 1; min-width: 0 }
#shown { margin: 0 0 0 auto; min-width: 96px; text-align: right; font-size: 13px; font-variant-numeric: tabular-nums }
.panel { margin-top: 12px; border: 1px solid var(--edge); border-radius: 10px; background: var(--card); padding: 0 16px }
.panel > summary { padding: 10px 0; margin: 0 -16px; padding-inline: 16px; border-radius: 10px }
.panel[open] { padding-bottom: 14px }
.panel h2 { text-transform: none; margin: 12px 0 4px; font-size: 14px }
.panel ul { margin: 0; padding-left: 20px } .panel li a { display: inline-block; min-height: 24px } .panel p { margin: 0 }
.panel a { color: inherit; text-decoration: none } .panel a:is(:hover, :focus-visible) { color: var(--accent); text-decoration: underline } .panel code { color: var(--faint); overflow-wrap: anywhere }
.failures li { margin-bottom: 8px } .failures li::marker { color: var(--bad) } .failures a { font-weight: 600 } .failures code { font-weight: 400 } .failures .said { font: 12.5px/1.5 var(--mono); overflow-wrap: anywhere }
.slowest { width: 100%; border-collapse: collapse } .slowest th { text-align: left; font-size: 12px; font-weight: 500; color: var(--faint) }
.slowest :is(td, th) { padding: 4px 12px 4px 0; vertical-align: middle } .slowest tr > :first-child { text-align: right; width: 72px; white-space: nowrap }
.slowest tr > :nth-child(2) { width: 120px } .slowest .bar { width: 110px }
body:has(#show-passed:checked) .scenario:not(.passed),
body:has(#show-failed:checked) .scenario:not(.failed),
body:has(#show-warned:checked) .scenario:not(.warned),
body:has(#show-inconclusive:checked) .scenario:not(.inconclusive),
body:has(#show-skipped:checked) .scenario:is(.passed, .failed, .warned, .inconclusive) { display: none }
body:has(#show-passed:checked) .suite:not(:has(.scenario.passed)),
body:has(#show-failed:checked) .suite:not(:has(.scenario.failed)),
body:has(#show-warned:checked) .suite:not(:has(.scenario.warned)),
body:has(#show-inconclusive:checked) .suite:not(:has(.scenario.inconclusive)),
body:has(#show-skipped:checked) .suite:not(:has(.scenario:is(.interrupted, .not-run))) { display: none }
body:has(#show-changed:checked) .scenario:not([data-change]),
body:has(#show-changed:checked) .suite:not(:has(.scenario[data-change])) { display: none }
body:has(#show-passed:checked) .fold::details-content { content-visibility: visible; block-size: auto }

summary { cursor: pointer }
.fold > summary { padding: 11px 16px; margin-top: 32px; border: 1px solid var(--edge); border-radius: 10px; background: var(--card) }
.fold > summary h2 { display: inline; margin: 0 }
.fold[open] > summary { margin-bottom: 8px }
.scenario { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; margin-bottom: 8px; scroll-margin-top: 12px }
.scenario > summary { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 11px 16px; list-style: none; border-radius: 10px }
.scenario > summary::-webkit-details-marker { display: none }
.scenario > summary:hover .title { color: var(--accent) }
summary:focus-visible, .diagram:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.title { font-weight: 600; min-width: 0 }
.title, .story, .failures { overflow-wrap: anywhere }
.tag { font-size: 12px; padding: 1px 8px; border: 1px solid var(--edge); border-radius: 999px; color: var(--faint) }
.scenario > summary code { color: var(--faint); margin-left: auto }
.time { font-variant-numeric: tabular-nums; color: var(--faint); min-width: 64px; text-align: right }
.warned > .sign, .warned > summary > .sign, .warned th .sign { background: var(--warn) }
.warned > .sign::before, .warned > summary > .sign::before, .warned th .sign::before { content: '!' }
.inconclusive > .sign, .inconclusive > summary > .sign, .inconclusive th .sign { background: var(--accent) }
.inconclusive > .sign::before, .inconclusive > summary > .sign::before, .inconclusive th .sign::before { content: '?' }
.passed th .sign { background: var(--good) } .passed th .sign::before { content: '✓' }
.failed th .sign { background: var(--bad) } .failed th .sign::before { content: '✗' }
.word { font-size: 12px; letter-spacing: .03em }
.failed .word { color: var(--bad) } .warned .word { color: var(--warn) } .inconclusive .word { color: var(--accent) } .passed .word { color: var(--good) }
.why { flex: 0 0 100%; padding-left: 32px; color: var(--faint); overflow-wrap: anywhere }
.finding { --tone: var(--faint); margin-top: 16px; padding: 12px 16px; border: 1px solid var(--tone); border-left-width: 5px; border-radius: 8px; background: var(--sunken) }
.failed .finding { --tone: var(--bad) } .warned .finding { --tone: var(--warn) } .inconclusive .finding { --tone: var(--accent) } .passed .finding { --tone: var(--good) }
.finding h3 { margin: 0 0 4px; color: var(--tone) }
.finding .said { margin: 0 0 4px; font-size: 14px; overflow-wrap: anywhere; white-space: pre-wrap }
.finding .fix { margin: 10px 0; padding: 8px 12px; border-left: 3px solid var(--accent); font-size: 14px; overflow-wrap: anywhere }
.finding pre { overflow: auto }
.finding summary { font-size: 13px; color: var(--faint) }
.rule { margin: 14px 0 0; padding: 4px 0 4px 14px; border-left: 3px solid var(--edge); max-width: 90ch }
.rule p { margin: 0 } .rule code { color: var(--faint); overflow-wrap: anywhere } .rule a { color: inherit }
.about { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 16px; margin: 14px 0 0; font-size: 14px }
.about dt { color: var(--faint) } .about dd { margin: 0; overflow-wrap: anywhere }
.target { margin: 8px 0 0; overflow-wrap: anywhere }
.verdicts { margin: 16px 0 4px; overflow-x: auto; border: 1px solid var(--edge); border-radius: 10px; background: var(--card) }
.verdicts:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.verdicts table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
.verdicts :is(td, th) { padding: 6px 14px; text-align: left } .verdicts tr + tr > *, .verdicts tbody tr > * { border-top: 1px solid var(--edge) }
.verdicts thead th { font-size: 12px; font-weight: 500; color: var(--faint) } .verdicts tbody th { white-space: nowrap }
.story { padding: 4px 16px 18px; border-top: 1px solid var(--edge) }
.description { max-width: 76ch }
.description code { background: var(--sunken); padding: 1px 4px; border-radius: 4px }
.references { display: flex; flex-wrap: wrap; gap: 6px; margin: 0; padding: 0; list-style: none; font-size: 12.5px; color: var(--faint) }
.references li { border: 1px solid var(--edge); border-radius: 6px; padding: 1px 8px }
.change { font-size: 12px; font-weight: 600; padding: 1px 8px; border-radius: 999px; border: 1px solid currentcolor; color: var(--faint) }
.change.newly-failing { color: var(--bad) } .change.fixed { color: var(--good) } .change.slower { color: var(--warn) } .change.new { color: var(--accent) }
.failure { margin-top: 16px; padding: 12px 16px; border: 1px solid var(--bad); border-left-width: 5px; border-radius: 8px; background: var(--sunken) }
.failure h3 { margin: 0 0 4px; color: var(--bad) }
.failure .said { margin: 0; font-family: var(--mono); font-size: 13px; overflow-wrap: anywhere; white-space: pre-wrap }
.failure .faint { margin: 4px 0 0; font-size: 12.5px }
.failure pre { overflow: auto }
.failure summary { font-size: 13px; color: var(--faint) }
.diff { margin: 0; padding: 8px 0; max-height: 420px; background: var(--card); border: 1px solid var(--edge); border-radius: 6px; font-size: 12.5px; line-height: 1.5 }
.diff > span { display: block; padding: 0 10px 0 24px; text-indent: -14px; white-space: pre-wrap; overflow-wrap: anywhere }
.diff > span::before { content: '  '; white-space: pre } 
.diff > .expected { background: color-mix(in srgb, var(--bad) 14%, transparent) } .diff > .expected::before { content: '− '; color: var(--bad) }
.diff > .found { background: color-mix(in srgb, var(--good) 14%, transparent) } .diff > .found::before { content: '+ '; color: var(--good) }
.part .expected { color: var(--bad) } .part .found { color: var(--good); margin-left: 8px }
.again { margin: 14px 0 0; color: var(--faint) }
.again code { color: var(--text); background: var(--card); border: 1px solid var(--edge); padding: 2px 8px; border-radius: 6px; user-select: all; overflow-wrap: anywhere }
.failure .again { margin: 8px 0 4px }
.steps { list-style: none; margin: 0; padding: 0; border: 1px solid var(--edge); border-radius: 8px; overflow: hidden }
.steps li { display: grid; grid-template-columns: 20px minmax(0, 1fr) minmax(60px, 26%) 64px; gap: 12px; align-items: center; padding: 6px 12px }
.steps li + li { border-top: 1px solid var(--edge) }
.steps .sign { width: 16px; height: 16px; font-size: 10px }
.bar { display: block; width: 100%; height: 6px; border-radius: 3px; background: var(--sunken); fill: var(--accent) }
li.failed .bar { fill: var(--bad) }
.attachments { display: flex; flex-wrap: wrap; gap: 14px }
figure { margin: 0; border: 1px solid var(--edge); border-radius: 8px; overflow: hidden; background: var(--sunken) }
figure img { display: block; height: 260px; max-width: 100%; object-fit: contain; background: #fff }
figure:has(input:checked) { flex: 1 1 100% }
figure:has(input:checked) img { height: auto; margin: 0 auto }
figure:has(input:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px }
figure label { display: block; cursor: zoom-in } figure:has(input:checked) label { cursor: zoom-out }
figure.text { flex: 1 1 100% }
figure pre { margin: 0; padding: 10px 12px; max-height: 300px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere }
figcaption { padding: 6px 12px; font-size: 13px; border-top: 1px solid var(--edge) }

${exchangeStyle}.nothing { color: var(--faint) }
main { padding-bottom: 60px }
@media (max-width: 760px) {
  header, main { padding-inline: 12px }
  .exchange-details > summary { grid-template-columns: 24px minmax(0, 1fr) auto }
  .exchange-details > summary > code { grid-column: 2 / 4; grid-row: 2 } .marks { grid-column: 2 / 4; grid-row: 3; flex-wrap: wrap }
  .code { grid-column: 3 }
  .steps li { grid-template-columns: 20px minmax(0, 1fr) 64px } .bar { display: none }
  .scenario > summary { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: 4px 10px } .scenario > summary > :nth-child(n + 3) { grid-column: 2; justify-self: start }
  .scenario > summary > .time { grid-column: 3; grid-row: 1 } .scenario > summary code { margin-left: 0; overflow-wrap: anywhere }
  .scenario > summary > .why { grid-column: 1 / 4; padding-left: 0 } .about { grid-template-columns: minmax(0, 1fr) } .about dd { margin-bottom: 6px } .verdicts :is(td, th) { padding: 6px 8px }
  .verdicts:not(.dialect) tr > :is(:nth-child(3), :nth-child(4), :nth-child(5)) { display: none }
  .story { padding-inline: 12px } #shown { margin-left: 0; text-align: left }
  .slowest tr > :nth-child(2), .slowest tr > :nth-child(4) { display: none }
  .slowest a { overflow-wrap: anywhere }
}
@media print {
  .filter { display: none } .diagram { max-height: none } .scenario:not([open]) { break-inside: avoid }
  .fold::details-content { content-visibility: visible; block-size: auto }
}
`

const imports = /^import \{[^}]*\} from '\.\/([\w-]+\.js)'\n/gm

/**
 * The page's script in one piece: the modules of `browser/`, each once and after its imports. A
 * single-file page has no addresses to import from, so imports and exports are removed; names at
 * the top level must therefore be unique among the modules.
 */
function joinModules(file: string, joined = new Set<string>()): string {
  if (joined.has(file)) return ''
  joined.add(file)
  const source = readFileSync(join(import.meta.dirname, 'browser', file), 'utf8')
  const before = [...source.matchAll(imports)].map(([, imported = '']) =>
    joinModules(imported, joined),
  )
  return [...before, source.replace(imports, '').replace(/^export /gm, '')].join('')
}

let script: string | undefined

/**
 * Script of the report: draws scenarios when they are opened, filters, and scrolls to the requested
 * element.
 */
export function readPageScript(): string {
  script ??= joinModules('main.js')
  return script
}
