// Runs the mutants of the conformance plans and prints the matrix; --help tells how.
import { parseArgs } from 'node:util'
import { type PlanName, planNames } from '#scenarios/conformance/define-check.ts'
import { formatMutant, formatSummary, isFull, type PlanOutcome } from './format-matrix.ts'
import { installMutants } from './install-mutants.ts'
import { loadMutants } from './load-mutants.ts'

const help = `npm run mutants -- [PLAN…] [--own] [--only REGEX] [--json]

Runs each plan against the testbed's own part, which has to pass every check, and against its
mutants: the same part with one deviation, which one check has to catch.

PLAN          ${planNames.join(', ')}; by default all
--own         each mutant meets its own check alone: quick, but does not tell what else it trips
--only REGEX  mutants whose name it fits, with their checks; where --own is left out, these checks
              are all that such a mutant can trip
--json        the whole outcome as JSON on stdout
--help        this text

Exit code 0: each check passes the correct part and catches its mutant; 1: one does not; 2: wrong
usage.`

const { plans, own, json, only } = readArguments()
const say = (line: string) => (json ? process.stderr : process.stdout).write(`${line}\n`)
const loaded = await Promise.all(plans.map(loadMutants))
const fits = ({ name }: { readonly name: string }) => only === undefined || only.test(name)
const allMutants = loaded.flat()
const wanted = plans.filter((plan) => only === undefined || mutantsOf(plan).length > 0)
if (wanted.length === 0) refuse(`No mutant fits ${only?.source}.`)
const mutantSwitch = installMutants(allMutants)
// Only from here on may anything be imported that is to be changed.
const { openSelfPlan } = await import('#testbed/conformance/open-self-plan.ts')
const { loadChecks } = await import('#scenarios/conformance/load-checks.ts')
const { runPlan } = await import('#scenarios/conformance/run-plan.ts')
const { createExchangeLog } = await import('#scenarios/conformance/evidence/create-exchange-log.ts')
const { runMutants } = await import('./run-mutants.ts')

const outcomes: PlanOutcome[] = []
for (const plan of wanted) outcomes.push(await runPlanOfMutants(plan))
say(`\n${formatSummary(outcomes, own)}`)
if (!own) say('narrow: caught by their own check, and no other check tripped')
if (json) {
  const byPlan = outcomes.map(({ plan, correct, mutants }) => [plan, { correct, mutants }])
  process.stdout.write(`${JSON.stringify(Object.fromEntries(byPlan))}\n`)
}
// What a mutant left running must not hold the process.
process.stdout.write('', () => process.exit(outcomes.every(isFull) ? 0 : 1))

async function runPlanOfMutants(name: PlanName): Promise<PlanOutcome> {
  const mutants = mutantsOf(name)
  const all = await loadChecks(name)
  const ids = new Set(mutants.map(({ check }) => check))
  const checks = only === undefined ? all : all.filter(({ id }) => ids.has(id))
  const withoutMutant = checks.filter(({ id }) => !ids.has(id)).map(({ id }) => id)
  const { signal } = new AbortController()
  const exchanges = createExchangeLog()
  const plan = await openSelfPlan(name, { exchanges, signal })
  say(`\n${name}: ${checks.length} checks, ${mutants.length} mutants\n`)
  const outcome = await runMutants({
    plan,
    checks,
    mutants,
    mutantSwitch,
    ownOnly: own,
    run: (selected) => runPlan(plan, { checks: selected, exchanges, signal }),
    onMutant: (each) => say(formatMutant(each)),
  })
  await plan.close()
  for (const { check, kind, reason } of outcome.correct) {
    if (kind !== 'held') say(`! ${check} is ${kind} for the correct part: ${reason}`)
  }
  if (withoutMutant.length > 0) say(`! without a mutant: ${withoutMutant.join(' ')}`)
  return { plan: name, withoutMutant, ...outcome }
}

function mutantsOf(name: PlanName) {
  return allMutants.filter((mutant) => mutant.plan === name && fits(mutant))
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        own: { type: 'boolean', default: false },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(`${help}\n`)
      process.exit(0)
    }
    const unknown = positionals.filter((name) => !(planNames as readonly string[]).includes(name))
    if (unknown.length > 0) {
      refuse(`Unknown: ${unknown.join(', ')}. Plans: ${planNames.join(', ')}.`)
    }
    const named = planNames.filter((name) => positionals.includes(name))
    return {
      ...values,
      plans: named.length > 0 ? named : planNames,
      only: values.only === undefined ? undefined : new RegExp(values.only),
    }
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error))
  }
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n\n${help}\n`)
  process.exit(2)
}
