import { expect, it } from 'vitest'
import { readModule } from '../../scripts/checks/read-module.ts'

it('reads what a module imports and exports, and counts its lines of code', () => {
  const module = readModule(`
import { type Log, log as print } from './log.ts'
import * as all from '#core/all.ts'

/** A comment
 * of two lines. */
export const one = 1 // one
export interface Two {
  readonly two: 2
}
const three = async () => import('./three.ts')
export { four } from './four.ts'
type Five = import('./five.ts').Five
`)
  expect(module.imports).toEqual([
    { specifier: './log.ts', names: ['Log', 'log'] },
    { specifier: '#core/all.ts', names: ['*'] },
    { specifier: './three.ts', names: ['*'] },
    { specifier: './four.ts', names: ['four'] },
    { specifier: './five.ts', names: ['*'] },
  ])
  expect(module.exports).toEqual([
    { name: 'one', isType: false },
    { name: 'Two', isType: true },
  ])
  expect(module.codeLines).toBe(7)
})
