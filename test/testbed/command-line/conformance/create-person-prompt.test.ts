import { expect, it } from 'vitest'
import { createPersonPrompt } from '#testbed/command-line/commands/conformance.ts'

it.each([
  ['y', true],
  ['YES', true],
  ['n', false],
  ['no', false],
  ['', undefined],
  ['yellow', undefined],
  [undefined, undefined],
])('takes %j for %j', async (answer, told) => {
  expect(await createPersonPrompt(async () => answer).ask('Did it accept?')).toBe(told)
})

it('takes an end of the input for no answer', async () => {
  const prompt = createPersonPrompt(() => Promise.reject(new Error('declined')))
  expect(await prompt.ask('Did it accept?')).toBeUndefined()
})

it('withdraws a question before it asks the next, and the last one at the end', async () => {
  const signals: AbortSignal[] = []
  const prompt = createPersonPrompt((_, signal) => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    if (signal) signals.push(signal)
    signal?.addEventListener('abort', () => resolve(undefined))
    return promise
  })
  const first = prompt.ask('The first?')
  const second = prompt.ask('The second?')
  expect(await first).toBeUndefined()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  prompt.close()
  expect(await second).toBeUndefined()
})
