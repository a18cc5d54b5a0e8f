import { expect, it } from 'vitest'
import { takeTurns } from '#scenarios/harness/waiting.ts'

it('does the work of one name in the order in which it came, also after a failure', async () => {
  const told: string[] = []
  const first = Promise.withResolvers<void>()
  const one = takeTurns('account', async () => {
    await first.promise
    told.push('one')
    throw new Error('one failed')
  })
  const two = takeTurns('account', async () => told.push('two'))
  const other = takeTurns('another account', async () => told.push('other'))
  await other
  first.resolve()
  await expect(one).rejects.toThrow('one failed')
  expect(await two).toBe(3)
  expect(told).toEqual(['other', 'one', 'two'])
})
