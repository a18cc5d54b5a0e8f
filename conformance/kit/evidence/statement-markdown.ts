import { cell } from '#scenarios/reports/formatting.ts'
import { checkWords } from '#scenarios/reports/verdicts.ts'
import {
  describeKit,
  listKits,
  listTargets,
  type Statement,
  type StatementPlan,
  type StatementRun,
} from './statement.ts'

/** A statement for people, as Markdown: the file `statement.md`, to attach to an offer. */
export function renderStatement(statement: Statement): string {
  const { product, plans } = statement
  const { name, version, vendor } = product
  const by = vendor === undefined ? '' : ` (${cell(vendor)})`
  const blocks = [
    `# Conformance statement: ${cell(name)} ${cell(version)}`,
    `**${cell(name)} ${cell(version)}**${by} was tested with the conformance kit of lear-testbed, ${renderKits(statement)}, ${renderPeriod(plans)}.`,
    ...renderNotices(statement),
    renderTable(plans),
    'PASS: the kit observed that the product does what is required. FAIL: the kit observed that it does not. WARN: the kit observed that it does not, but only a final OpenID standard or good practice requires it. "Not decided" means that the kit observed neither; the reasons are below.',
    ...renderChecks('FAIL', plans, ({ verdict }) => verdict === 'failed'),
    ...renderChecks('WARN', plans, ({ verdict }) => verdict === 'warned'),
    ...renderUnstable(plans),
    ...renderChecks('Not decided', plans, isUndecided),
    '## Runs',
    plans.flatMap(({ plan, strict, runs }) => runs.map(renderRun(plan, strict))).join('\n'),
    '## How to verify this statement',
    'If the statement is signed, `statement.jws` contains it with the SHA-256 of each file. With the public key of the signer, this command checks the signature, the files and the counts:',
    '```sh\ntestbed verify statement.jws --key PUBLIC_KEY --offline\n```',
    'The signature proves who made the statement. It does not prove that the runs were honest.',
  ]
  return `${blocks.join('\n\n')}\n`
}

type Check = StatementPlan['checks'][number]

const isUndecided = ({ verdict }: Check) =>
  verdict === 'inconclusive' || verdict === 'interrupted' || verdict === 'not-run'

function renderKits(statement: Statement): string {
  const kits = listKits(statement)
  return `${kits.length === 1 ? 'version' : 'versions'} ${kits.map(cell).join('; ')}`
}

const dayOf = ({ started_at }: StatementRun) => started_at.slice(0, 10)

function renderPeriod(plans: Statement['plans']): string {
  const days = plans.flatMap(({ runs }) => runs.map(dayOf)).sort()
  const [first, last] = [days[0], days.at(-1)]
  return first === last ? `on ${first}` : `from ${first} to ${last}`
}

/** What a reader must know before the table. */
function renderNotices(statement: Statement): string[] {
  const [targets, kits] = [listTargets(statement), listKits(statement)]
  const unstable = statement.plans.flatMap(({ checks }) => checks.filter((each) => each.unstable))
  return [
    ...(targets.length === 1
      ? []
      : [
          `> The runs name different targets: ${targets.map(cell).join(', ')}. The signer states that all of them are this product.`,
        ]),
    ...(kits.length === 1
      ? []
      : ['> The runs used different versions of the kit, which may have different checks.']),
    ...statement.plans.flatMap(({ plan, whole }) =>
      whole ? [] : [`> Only a part of the ${plan} plan was run.`],
    ),
    ...(unstable.length === 0
      ? []
      : [`> The product gave different responses to the same check: ${list(unstable)}.`]),
  ]
}

const list = (checks: readonly Check[]) => checks.map(({ id }) => id).join(', ')

function renderTable(plans: Statement['plans']): string {
  const rows = plans.map(({ plan, strict, whole, runs, counts, checks }) => {
    const newest = runs.map(dayOf).at(-1)
    const name = `${plan}${strict ? ', strict' : ''}${whole ? '' : ' (part)'}`
    const undecided = counts.inconclusive + counts.skipped
    const { passed, failed, warned } = counts
    return `| ${[name, newest, checks.length, passed, failed, warned, undecided].join(' | ')} |`
  })
  return [
    '| Plan | Last run | Checks | PASS | FAIL | WARN | Not decided |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}

/** A section with the checks that match, one per line; empty without such checks. */
function renderChecks(
  title: string,
  plans: Statement['plans'],
  matches: (check: Check) => boolean,
): string[] {
  const lines = plans.flatMap(({ checks }) =>
    checks
      .filter(matches)
      .map((check) => `- **${check.id}** ${cell(check.title)}: ${cell(check.reason)}`),
  )
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')]
}

/** Checks without one reliable answer, with what each run decided. */
function renderUnstable(plans: Statement['plans']): string[] {
  const lines = plans.flatMap(({ checks }) =>
    checks
      .filter(({ unstable }) => unstable)
      .map(({ id, title, verdict, run, contradiction = [{ verdict, run }] }) => {
        const said = contradiction.map((each) => `${checkWords[each.verdict]} in ${each.run}`)
        return `- **${id}** ${cell(title)}: ${said.join(', ')}`
      }),
  )
  if (lines.length === 0) return []
  const rule =
    'The responses to these checks changed within a run or between runs. The worst counts.'
  return ['## Unstable', rule, lines.join('\n')]
}

const renderRun = (plan: string, strict: boolean) => (run: StatementRun) => {
  const { file, started_at, target, kit, interrupted, selection, sha256 } = run
  const facts = [
    `plan ${plan}`,
    `target ${cell(target.name)}`,
    started_at,
    `kit ${cell(describeKit(kit))}`,
    selection === undefined ? 'all checks' : `only checks that match ${cell(selection)}`,
    ...(strict ? ['strict'] : []),
    ...(interrupted ? ['interrupted'] : []),
  ]
  return `- \`${file}\`: ${facts.join(', ')}. SHA-256: \`${sha256}\``
}
