import { expect, it } from 'vitest'
import { findMutantProblem } from '../../scripts/checks/find-mutant-problem.ts'

const withCondition = (condition: string) => `
  import { isValid, type Token } from './token.ts'
  export function verify(token: Token, at: number): boolean {
    const age: number = Date.now() - at
    return isValid(token) && age < 60${condition}
  }`

it.each([
  ['a parameter', ' || at === 0'],
  ['a variable', ' || age > 0'],
  ['a global', " || process.env.MUTANT === 'yes'"],
  ['a type', ' || (token as Token).isOld'],
])('finds no problem in a condition with %s', async (_what, condition) => {
  expect(await findMutantProblem(withCondition(condition))).toBeUndefined()
})

it.each([
  ['a name that nothing declares', ' || session === 0', 'nothing declares session'],
  ['a type as a value', ' || token instanceof Token', 'nothing declares Token'],
  ['wrong syntax', ' || (age', 'Expected ")"'],
])('finds %s', async (_what, condition, problem) => {
  expect(await findMutantProblem(withCondition(condition))).toContain(problem)
})
