// Runs the mutants of the conformance plans and prints the matrix; see --help.
import { parseArgs } from 'node:util'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { formatSummary, isFull, type PlanOutcome } from './format-matrix.ts'
import { loadMutants } from './load-mutants.ts'
import { runPlanProcess } from './run-plan-process.ts'

const help = `npm run mutants -- [PLAN…] [--own] [--only REGEX] [--json]

Runs each plan against the testbed's own part, which must pass every check, and against its
mutants: the same part with one deviation, which one check must detect.

PLAN          ${planNames.join(', ')}; by default all
--own         runs each mutant only against its own check: faster, but does not show which other checks fail
--only REGEX  runs only mutants with a matching name, and only the checks of these mutants
--json        prints the complete outcome as JSON
--help        prints this text

Exit code 0: each check passes the correct part and detects its mutant; 1: a check does not; 2: wrong
usage.`

const { plans, own, json, only } = readArguments()
const outcomes: PlanOutcome[] = []
for (const plan of await plansWithMutants()) {
  outcomes.push(await runPlanProcess({ plan, own, only, toStderr: json }))
}
const say = (line: string) => (json ? process.stderr : process.stdout).write(`${line}\n`)
say(`\n${formatSummary(outcomes, own)}`)
if (!own) say('narrow: detected by their own check, and no other check failed')
if (json) {
  const byPlan = outcomes.map(({ plan, correct, mutants }) => [plan, { correct, mutants }])
  process.stdout.write(`${JSON.stringify(Object.fromEntries(byPlan))}\n`)
}
process.exitCode = outcomes.every(isFull) ? 0 : 1

/** The plans with a matching mutant. */
async function plansWithMutants(): Promise<readonly PlanName[]> {
  if (only === undefined) return plans
  const expression = new RegExp(only)
  const loaded = await Promise.all(plans.map(loadMutants))
  const fitting = plans.filter((_, index) =>
    loaded[index]?.some(({ name }) => expression.test(name)),
  )
  return fitting.length > 0 ? fitting : refuse(`No mutant matches ${only}.`)
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
    // Whether it is one shows here, and not in the processes.
    new RegExp(values.only ?? '')
    return {
      ...values,
      plans: named.length > 0 ? named : planNames,
    }
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error))
  }
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n\n${help}\n`)
  process.exit(2)
}
