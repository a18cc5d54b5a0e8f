// Runs the mutants of one plan and sends its parent the outcome. It is a separate process because
// sources are changed when they load, and the changes of two plans in one place are not compatible.

import { installMutants, loadMutants } from './install-mutants.ts'
import { formatMutant, type PlanOutcome } from './run-mutants.ts'
import type { PlanRun } from './run-plan-process.ts'

const [argument = ''] = process.argv.slice(2)
const { plan: name, own, only, toStderr }: PlanRun = JSON.parse(argument)
const stream = toStderr ? process.stderr : process.stdout
const say = (line: string) => stream.write(`${line}\n`)

const allMutants = await loadMutants(name)
const expression = new RegExp(only ?? '')
const mutants = allMutants.filter((mutant) => expression.test(mutant.name))
const mutantSwitch = installMutants(allMutants)
// Modules with patches may only be imported from here on.
const { openSelfPlan } = await import('#testbed/conformance/open-self-plan.ts')
const { loadChecks } = await import('#conformance/kit/load-checks.ts')
const { runPlan } = await import('#conformance/kit/run-plan.ts')
const { createExchangeLog } = await import('#conformance/kit/evidence/exchange-log.ts')
const { runMutants } = await import('./run-mutants.ts')

const outcome = await runMutantsOfPlan()
process.send?.(outcome, () => {
  // What a mutant left running must not hold the process.
  process.exit(0)
})

async function runMutantsOfPlan(): Promise<PlanOutcome> {
  const all = await loadChecks(name)
  const ids = new Set(mutants.map(({ check }) => check))
  const checks = only === undefined ? all : all.filter(({ id }) => ids.has(id))
  const withoutMutant = checks.filter(({ id }) => !ids.has(id)).map(({ id }) => id)
  const { signal } = new AbortController()
  const exchanges = createExchangeLog()
  const plan = await openSelfPlan(name, { exchanges, signal })
  say(`\n${name}: ${checks.length} checks, ${mutants.length} mutants\n`)
  const found = await runMutants({
    plan,
    checks,
    mutants,
    mutantSwitch,
    ownOnly: own,
    run: (selected) => runPlan(plan, { checks: selected, exchanges, signal, once: true }),
    onMutant: (each) => say(formatMutant(each)),
  })
  await plan.close()
  for (const { check, kind, reason } of found.correct) {
    if (kind !== 'held') say(`! ${check} is ${kind} for the correct part: ${reason}`)
  }
  if (withoutMutant.length > 0) say(`! without a mutant: ${withoutMutant.join(' ')}`)
  return { plan: name, withoutMutant, ...found }
}
