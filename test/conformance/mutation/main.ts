// Runs the mutants of plans: `node test/conformance/mutation/main.ts [PLAN…] [--own] [--only REGEX] [--json]`
import { parseArgs } from 'node:util'
import { type PlanName, planNames } from '#scenarios/conformance/define-check.ts'
import { installMutants } from './install-mutants.ts'
import { loadMutants } from './load-mutants.ts'
import type { MutantOutcome, MutationOutcome } from './run-mutants.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})
const wanted = positionals.length > 0 ? positionals : planNames
const unknown = wanted.filter((name) => !(planNames as readonly string[]).includes(name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Plans: ${planNames.join(', ')}`)
  process.exit(2)
}
const plans = wanted as readonly PlanName[]
const say = (line: string) => (values.json ? process.stderr : process.stdout).write(`${line}\n`)

const allMutants = (await Promise.all(plans.map(loadMutants))).flat()
const mutantSwitch = installMutants(allMutants)
// Only from here on may anything be imported that is to be changed.
const { openSelfPlan } = await import('#testbed/conformance/open-self-plan.ts')
const { loadChecks } = await import('#scenarios/conformance/load-checks.ts')
const { runPlan } = await import('#scenarios/conformance/run-plan.ts')
const { createExchangeLog } = await import('#scenarios/conformance/evidence/create-exchange-log.ts')
const { runMutants } = await import('./run-mutants.ts')

const only = new RegExp(values.only)
const { signal } = new AbortController()
const outcomes: Partial<Record<PlanName, MutationOutcome>> = {}
let isGood = true

for (const name of plans) {
  const fits = ({ name: own }: { name: string }) => only.test(own)
  const mutants = allMutants.filter(({ plan, ...each }) => plan === name && fits(each))
  const all = await loadChecks(name)
  const ids = new Set(mutants.map(({ check }) => check))
  const checks = values.only === '' ? all : all.filter(({ id }) => ids.has(id))
  const exchanges = createExchangeLog()
  const plan = await openSelfPlan(name, { exchanges, signal })
  say(`\n${name}: ${checks.length} checks, ${mutants.length} mutants`)
  const outcome = await runMutants({
    plan,
    checks,
    mutants,
    mutantSwitch,
    ownOnly: values.own,
    run: (selected) => runPlan(plan, { checks: selected, exchanges, signal }),
    onMutant: (each) => say(rowOf(each)),
  })
  await plan.close()
  outcomes[name] = outcome
  for (const { check, kind, reason } of outcome.correct) {
    if (kind !== 'held') say(`! ${check} is ${kind} for the correct part: ${reason}`)
  }
  const caught = outcome.mutants.filter(({ own }) => own.kind === 'broken').length
  const without = checks.filter(({ id }) => !ids.has(id)).map(({ id }) => id)
  if (without.length > 0) say(`! without a mutant: ${without.join(' ')}`)
  say(`${name}: ${caught} of ${outcome.mutants.length} mutants caught by their own check`)
  isGood &&=
    caught === outcome.mutants.length &&
    without.length === 0 &&
    outcome.correct.every(({ kind }) => kind === 'held')
}

if (values.json) process.stdout.write(`${JSON.stringify(outcomes)}\n`)
// What a mutant left running must not hold the process.
process.stdout.write('', () => process.exit(isGood ? 0 : 1))

function rowOf({ name, deviation, own, tripped }: MutantOutcome): string {
  const verdict = own.kind === 'broken' ? 'caught  ' : 'SURVIVED'
  const also = tripped.length > 0 ? `; tripped ${tripped.join(' ')} as well` : ''
  const why = own.kind === 'broken' ? '' : ` (${own.kind}: ${own.reason})`
  return `${verdict}  ${own.check}  ${name}: it ${deviation}${also}${why}`
}
