// Runs the mutants of the conformance plans and prints the matrix; see --help.
import { parseArgs } from 'node:util'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { decidingCode } from './generated/deciding-code.ts'
import { readExcludedMutants } from './generated/excluded-mutants.ts'
import { runGenerated } from './generated/run-generated.ts'
import { formatResult, recordScore, scoreOf } from './generated/score.ts'
import { loadMutants } from './install-mutants.ts'
import { formatSummary, isFull, type PlanOutcome } from './run-mutants.ts'
import { runPlanProcess } from './run-plan-process.ts'

const help = `npm run mutants -- [PLAN…] [--own] [--only REGEX] [--json]
npm run mutants -- --generated [PLAN…] [--sample N] [--seed S] [--file GLOB] [--mutant ID…] [--skip-excluded] [--jobs N] [--record] [--json]

Runs each plan against the testbed's own part, which must pass every check, and against its
mutants: the same part with one deviation, which one check must detect.

PLAN          ${planNames.join(', ')}; by default all
--own         runs each mutant only against its own check: faster, but does not show which other checks fail
--only REGEX  runs only mutants with a matching name, and only the checks of these mutants
--json        prints the complete outcome as JSON
--help        prints this text

--generated runs a sample of the mutants that standard operators make of the code that decides, each
against the checks that execute it, and prints the score and the survivors.

--sample N    runs this many reachable mutants per plan; by default 400
--seed S      selects the sample; by default the date (UTC)
--file GLOB   runs only mutants of these source files, such as 'core/crypto/*.ts'
--mutant ID   runs only this mutant; can be repeated
--skip-excluded  counts excluded mutants as survivors without running them, which takes less time
--jobs N      runs the part and its plan in this many processes; by default 2
--record      writes the scores to docs/coverage/generated-mutants.tsv

Exit code 0: each check passes the correct part and detects its mutant; 1: a check does not, or more
generated mutants are excluded than allowed; 2: wrong usage.`

const today = new Date().toISOString().slice(0, 10)
const { plans, own, json, only, generated, ...given } = readArguments()
const say = (line: string) => (json ? process.stderr : process.stdout).write(`${line}\n`)
if (generated) await runAllGenerated()
else await runAllWritten()

/** Runs the mutants that belong to the checks. */
async function runAllWritten(): Promise<void> {
  const outcomes: PlanOutcome[] = []
  for (const plan of await plansWithMutants()) {
    outcomes.push(await runPlanProcess({ plan, own, only, toStderr: json }))
  }
  say(`\n${formatSummary(outcomes, own)}`)
  if (!own) say('narrow: detected by their own check, and no other check failed')
  const byPlan = outcomes.map(({ plan, correct, mutants }) => [plan, { correct, mutants }])
  if (json) process.stdout.write(`${JSON.stringify(Object.fromEntries(byPlan))}\n`)
  process.exitCode = outcomes.every(isFull) ? 0 : 1
}

/** Runs a sample of the mutants that operators make. */
async function runAllGenerated(): Promise<void> {
  const { sample, seed, file, mutant: mutants, jobs, 'skip-excluded': skipsExcluded } = given
  const results: Record<string, object> = {}
  for (const plan of plans.filter((each) => decidingCode[each].length > 0)) {
    let killed = 0
    // Before the run: an invalid row must not cost its result.
    const excluded = readExcludedMutants(plan)
    const result = await runGenerated({
      plan,
      seed,
      sample,
      jobs,
      ...(skipsExcluded && { skipped: new Set(excluded.map(({ id }) => id)) }),
      ...(file === undefined ? {} : { file }),
      ...(mutants === undefined ? {} : { mutants }),
      onOutcome({ verdict }, done, all) {
        if (verdict === 'killed') killed++
        if (done % 20 === 0 || done === all) {
          process.stderr.write(`${plan}: ${done} of ${all}, ${killed} killed\n`)
        }
      },
    })
    const score = scoreOf(result.outcomes, excluded)
    say(`\n${formatResult(result, excluded)}`)
    results[plan] = { ...result, score }
    if (given.record) recordScore({ plan, seed, date: today, ...score })
    if (score.isExcludedTooOften) process.exitCode = 1
  }
  if (json) process.stdout.write(`${JSON.stringify(results)}\n`)
}

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
        generated: { type: 'boolean', default: false },
        sample: { type: 'string', default: '400' },
        seed: { type: 'string', default: today },
        file: { type: 'string' },
        mutant: { type: 'string', multiple: true },
        jobs: { type: 'string', default: '2' },
        'skip-excluded': { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
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
    if (values.record && (values.file ?? values.mutant)) {
      refuse('--record needs a sample of the whole plan: leave out --file and --mutant.')
    }
    const named = planNames.filter((name) => positionals.includes(name))
    // Whether it is one shows here, and not in the processes.
    new RegExp(values.only ?? '')
    return {
      ...values,
      sample: readCount('sample', values.sample),
      jobs: readCount('jobs', values.jobs),
      plans: named.length > 0 ? named : planNames,
    }
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error))
  }
}

function readCount(option: string, text: string): number {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : refuse(`--${option} must be a number from 1.`)
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n\n${help}\n`)
  process.exit(2)
}
