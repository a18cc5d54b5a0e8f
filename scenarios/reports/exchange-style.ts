/**
 * Style of the diagram and of the exchanges, for the report and for other pages that draw with
 * `browser/`. It uses colours that the page defines: `--card`, `--sunken`, `--edge`, `--text`,
 * `--faint`, `--accent`, `--good`, `--bad`, `--warn`, `--moved`, and the font `--mono`.
 */
export const exchangeStyle = `.sign { width: 20px; height: 20px; flex: none; border-radius: 50%; display: inline-grid; place-items: center; font: 700 12px/1 system-ui, sans-serif; color: var(--card); background: var(--faint) }
.sign::before { content: '–' }
.passed > .sign, .passed > summary > .sign { background: var(--good) }
.passed > .sign::before, .passed > summary > .sign::before { content: '✓' }
.failed > .sign, .failed > summary > .sign { background: var(--bad) }
.failed > .sign::before, .failed > summary > .sign::before { content: '✗' }
.diagram { overflow: auto; max-height: 82vh; border: 1px solid var(--edge); border-radius: 8px; background: var(--card) }
.diagram svg { display: block; margin: 0 auto }
.heads { position: sticky; top: 0; z-index: 1; background: var(--card) }
.actor { fill: var(--sunken); stroke: var(--edge) }
.actor-name { font: 600 11.5px system-ui, 'Open Sans', sans-serif; fill: var(--text); text-anchor: middle }
.actor-name.small-name { font-size: 10px }
.lifeline { stroke: var(--edge); stroke-width: 1.5 }
.band rect { fill: var(--sunken); stroke: var(--edge) }
.band text { font: 600 12.5px system-ui, 'Open Sans', sans-serif; fill: var(--text) }
.band.failed rect { stroke: var(--bad) } .band.failed text { fill: var(--bad) }
.hop { --tone: var(--accent) }
.hop.moved { --tone: var(--moved) } .hop.warn { --tone: var(--warn) } .hop.bad { --tone: var(--bad) }
.hop .line { stroke: var(--tone); stroke-width: 1.6; fill: none }
.hop .tip { fill: var(--tone) }
.hop .hit { fill: transparent }
.hop:hover .hit, .hop:focus-visible .hit { fill: color-mix(in srgb, var(--tone) 12%, transparent) }
.hop:focus-visible { outline: none } .hop:focus-visible .hit { stroke: var(--tone) }
.hop.failed-here .hit { fill: color-mix(in srgb, var(--bad) 16%, transparent); stroke: var(--bad) }
.label .remark { fill: var(--bad); font-weight: 700 }
.number-disc { fill: var(--card); stroke: var(--tone) }
.number { font: 600 9.5px system-ui, 'Open Sans', sans-serif; fill: var(--text); text-anchor: middle }
.label { font: 11px var(--mono); fill: var(--text); paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round }
.label .status { fill: var(--tone); font-weight: 700 } .label .faint { fill: var(--faint) }

.exchange-list { border: 1px solid var(--edge); border-radius: 8px; overflow: hidden }
.exchange-details + .exchange-details { border-top: 1px solid var(--edge) }
.exchange-details > summary { display: grid; grid-template-columns: 28px 190px minmax(0, 1fr) auto 44px; gap: 10px; align-items: baseline; padding: 5px 12px; list-style: none }
.exchange-details > summary::-webkit-details-marker { display: none }
.exchange-details > summary:hover { background: var(--sunken) }
.exchange-details > summary > code { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.no { color: var(--faint); font-variant-numeric: tabular-nums; text-align: right }
.who { color: var(--faint); font-size: 13px }
.times { color: var(--faint); font-size: 13px }
.code { grid-column: 5; font: 700 12.5px var(--mono); color: var(--good); text-align: right }
.code.moved { color: var(--moved) } .code.warn { color: var(--warn) } .code.bad { color: var(--bad) }
.marks { display: flex; gap: 6px; align-items: center }
.mark { font-size: 12px; padding: 0 8px; border-radius: 999px; border: 1px solid currentcolor; white-space: nowrap }
.mark.good { color: var(--good) } .mark.bad { color: var(--bad); font-weight: 600 }
.exchange-details { scroll-margin-top: 12px }
.exchange-details.failed-here { box-shadow: inset 4px 0 0 var(--bad) }
.exchanges { padding: 6px 12px 14px }
.evaluated, .refusal { margin: 8px 0 12px; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 8px }
.refusal p { margin: 0 } .evaluated h4 { margin: 0 0 4px } .evaluated summary { font-size: 13px; color: var(--faint) }
.rules { list-style: none; margin: 6px 0 0; padding: 0; font-size: 13.5px }
.rules li { display: flex; gap: 8px; padding: 3px 0 } .rules .sign { width: 16px; height: 16px; font-size: 10px; margin-top: 2px }
.rules li > div { min-width: 0; overflow-wrap: anywhere }
.rules dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 12px; margin: 0 } .rules dt { color: var(--faint) } .rules dd { margin: 0 }
.rules p { margin: 0 } .rules .reason { color: var(--bad); font-weight: 600 } .rules code { color: var(--faint) }
.exchange { margin: 6px 0; font-size: 12.5px; overflow-wrap: anywhere }
.messages { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 16px }
.message { min-width: 0 }
.part { margin: 6px 0 2px; font-size: 12px; color: var(--faint) }
.messages + .part { margin-top: 14px }
.headers { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 12px; margin: 0; font: 12px/1.6 var(--mono) }
.headers dt { color: var(--faint) } .headers dd { margin: 0; overflow-wrap: anywhere }
pre.json { margin: 0; padding: 8px 10px; max-height: 460px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--sunken); border: 1px solid var(--edge); border-radius: 6px; font-size: 12px; line-height: 1.45 }
.json .k { color: var(--accent) } .json .s { color: var(--good) } .json .n { color: var(--moved) } .json .note { color: var(--faint) }
.json .jwt { color: var(--faint); font-style: italic }
.token { margin-top: 10px; padding: 8px 10px; border: 1px dashed var(--edge); border-radius: 8px }
.parts { display: grid; gap: 0 12px; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr) }
@media (max-width: 760px) { .parts { grid-template-columns: minmax(0, 1fr) } }
.token .token { margin-left: 4px }
`
