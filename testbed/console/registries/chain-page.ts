import { html, type SafeHtml } from '#core/html/html.ts'
import { conditionOf } from '#core/profile/contract-conditions.ts'
import type { Reply } from '#kit/define-route.ts'
import { consolePage, type Frame, paragraphRow, scrollable, shortened } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { didName, type Names } from '../names.ts'
import { describeEvent, fillHtml, shownArgument, shownTime, transactionLink } from './events.ts'
import { sectionLinks } from './page.ts'
import type { ChainReader, DecodedBlock, DecodedTransaction } from './read-chain.ts'
import { registriesTexts } from './texts.ts'

export interface ChainPageOptions {
  readonly names: Names
  readonly chain: Awaited<ReturnType<ChainReader['blocks']>>
}

/** The blocks of the chain with their transactions, newest first. */
export function chainPage(frame: Frame, { names, chain }: ChainPageOptions): Reply {
  const { language, environment } = frame
  const texts = registriesTexts[language].chain
  const content = () => {
    if (chain === undefined) return html`<p class="warning">${texts.silent}</p>`
    const { latest, blocks } = chain
    const [first, last] = [blocks.at(0)?.number ?? 0, blocks.at(-1)?.number ?? 0]
    const newer = Math.min(first + blocks.length, latest)
    return html`${scrollable(texts.title, blockTable(frame, names, blocks))}
<p class="pages">${fillHtml(texts.range, { last: first, first: last, latest })}
${first < latest && html`<a href="?last=${newer}" rel="prev">${texts.newer}</a>`}
${last > 0 && html`<a href="?last=${last - 1}" rel="next">${texts.older}</a>`}</p>`
  }
  return consolePage(frame, {
    title: String(fillHtml(texts.titleOf, { environment })),
    section: 'registries',
    style: 'registries.css',
    body: html`${sectionLinks(frame, 'chain')}
<section class="card">
<h2>${texts.title}</h2>
${content()}
</section>`,
  })
}

function blockTable(frame: Frame, names: Names, blocks: readonly DecodedBlock[]): SafeHtml {
  const { columns, chain } = registriesTexts[frame.language]
  const rows = blocks.map(({ number, time, transactions }) =>
    transactions.length === 0
      ? html`<tr><td class="number">${number}</td><td class="time">${shownTime(time)}</td><td colspan="5" class="soft">${chain.empty}</td></tr>`
      : transactions.map(
          (transaction, index) => html`<tr>
${index === 0 && html`<td class="number" rowspan="${transactions.length}">${number}</td><td class="time" rowspan="${transactions.length}">${shownTime(time)}</td>`}
<td>${transactionLink(frame, transaction.hash)}</td>
<td>${account(frame, names, transaction.from)}</td>
<td><code>${transaction.call?.name ?? (transaction.to === null ? chain.deployment : chain.unknownCall)}</code></td>
<td>${outcome(frame, transaction)}</td>
<td>${transaction.events.map(({ event }) => html`<code class="event">${event}</code> `)}</td>
</tr>`,
        ),
  )
  return html`<table>
<thead><tr><th class="number">${columns.block}</th><th>${columns.time}</th><th>${columns.transaction}</th><th>${chain.from}</th><th>${chain.method}</th><th>${columns.state}</th><th>${chain.events}</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
}

/** An account: its name, else its address. */
function account({ language }: Frame, names: Names, address: string): SafeHtml {
  return names.of(address) === undefined
    ? shortened(language, address)
    : html`<span title="${address}">${names.of(address)}</span>`
}

function outcome({ language }: Frame, { isApplied, revert }: DecodedTransaction): SafeHtml {
  const { chain } = registriesTexts[language]
  if (isApplied) return html`<span class="badge good">${chain.applied}</span>`
  return html`<span class="badge bad">${chain.reverted}</span>${revert && html` <code class="anywhere">${revert.name}</code>`}`
}

export interface TransactionPageOptions {
  readonly names: Names
  readonly hash: string
  readonly transaction: DecodedTransaction | undefined
}

/** One transaction: who called which method with which arguments, and what it changed. */
export function transactionPage(
  frame: Frame,
  { names, hash, transaction }: TransactionPageOptions,
): Reply {
  const { language } = frame
  const texts = registriesTexts[language].chain
  return consolePage(frame, {
    status: transaction === undefined ? 404 : 200,
    title: transaction?.call?.name ?? registriesTexts[language].columns.transaction,
    section: 'registries',
    style: 'registries.css',
    body: html`${sectionLinks(frame)}
<p>${shortened(language, hash, 34, 8)}</p>
${transaction === undefined ? html`<p class="warning">${texts.unknown}</p>` : transactionCards(frame, names, transaction)}`,
  })
}

function transactionCards(frame: Frame, names: Names, transaction: DecodedTransaction): SafeHtml {
  const { columns, chain } = registriesTexts[frame.language]
  const { from, to, contract, call, blockNumber, blockTime, gasUsed, events, revert } = transaction
  return html`<section class="card">
<h2>${chain.receipt}</h2>
<dl>
<dt>${columns.state}</dt><dd>${outcome(frame, transaction)}</dd>
${revert?.args !== undefined && callArgument(frame, names, chain.reason, revert.args)}
${revert && brokenCondition(frame, revert.name)}
<dt>${columns.time}</dt><dd>${shownTime(blockTime)}</dd>
<dt>${columns.block}</dt><dd><a href="/registries/${frame.environment}/chain?last=${blockNumber}">${blockNumber}</a></dd>
<dt>${chain.from}</dt><dd>${names.of(from)} ${shortened(frame.language, from)}</dd>
<dt>${chain.contract}</dt><dd>${contract && chain.contracts[contract]} ${to !== null && shortened(frame.language, to)}</dd>
<dt>${chain.gas}</dt><dd>${gasUsed}</dd>
</dl>
</section>
${
  call &&
  html`<section class="card">
<h2>${chain.arguments}</h2>
<dl>${Object.entries(call.args).flatMap(([name, value]) => callArgument(frame, names, name, value))}</dl>
</section>`
}
<section class="card">
<h2>${chain.events}</h2>
${events.length === 0 && html`<p class="soft">${chain.noEvents}</p>`}
<ul class="list timeline">${events.map((event) => {
    const { did } = event.args
    return html`<li><code>${event.event}</code>
${typeof did === 'string' && html`<p>${didName(frame, names, did)}</p>`}
<p>${describeEvent(frame, names, event)}</p></li>`
  })}</ul>
</section>`
}

/** The condition that a reverted transaction did not meet, and where the profile describes it. */
function brokenCondition(frame: Frame, name: string): SafeHtml {
  const { statement, paragraph } = conditionOf(name)
  return html`<dt>${frameTexts[frame.language].refusal.expected}</dt><dd lang="en">${statement}</dd>
${paragraphRow(frame, paragraph)}`
}

/** The members of a struct follow each other, with their path. */
function callArgument(frame: Frame, names: Names, name: string, value: unknown): SafeHtml[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([member, inner]) =>
      callArgument(frame, names, `${name}.${member}`, inner),
    )
  }
  const own = name.slice(name.lastIndexOf('.') + 1)
  return [html`<dt>${name}</dt><dd>${shownArgument(frame, names, own, String(value))}</dd>`]
}
