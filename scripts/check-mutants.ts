import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { planNames } from '../conformance/kit/check.ts'
import {
  findStaleExclusions,
  readExcludedMutants,
} from '../test/conformance/mutation/generated/excluded-mutants.ts'
import {
  applyPatch,
  findContractProblem,
  loadMutants,
} from '../test/conformance/mutation/install-mutants.ts'
import { findMutantProblem } from './checks/find-mutant-problem.ts'
import { reportProblems } from './checks/report-problems.ts'

const root = dirname(import.meta.dirname)
const original = (file: string) => readFileSync(join(root, file), 'utf8')

let count = 0
const problems: string[] = []
for (const plan of planNames) {
  const mutants = await loadMutants(plan)
  count += mutants.length
  // All mutants of a plan run in one process: a later patch may change the output of an earlier
  // patch.
  const patched = new Map<string, { readonly name: string; readonly source: string }[]>()
  for (const { name, patches = [] } of mutants) {
    for (const patch of patches) {
      const steps = patched.get(patch.file) ?? []
      const source = steps.at(-1)?.source ?? original(patch.file)
      try {
        patched.set(patch.file, [...steps, { name, source: applyPatch(source, patch, name) }])
      } catch (error) {
        problems.push((error as Error).message)
      }
    }
  }
  for (const [file, steps] of patched) {
    if ((await findMutantProblem(steps.at(-1)?.source ?? '')) === undefined) continue
    for (const { name, source } of steps) {
      const problem = await findMutantProblem(source)
      if (problem === undefined) continue
      problems.push(`${name}: ${file}: ${problem}`)
      break
    }
  }
  const problem = findContractProblem(mutants)
  if (problem !== undefined) problems.push(`${plan}: ${problem}`)
}
for (const plan of planNames) {
  for (const { id, file } of await findStaleExclusions(readExcludedMutants(plan))) {
    problems.push(`${plan}: the excluded mutant ${id} of ${file} no longer exists: remove its row`)
  }
}
reportProblems(
  problems,
  `The patches of ${count} mutants fit their files, and use only names that exist there.`,
)
