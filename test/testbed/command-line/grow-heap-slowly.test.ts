import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const module = pathToFileURL(
  `${import.meta.dirname}/../../../testbed/command-line/grow-heap-slowly.ts`,
)

/** Objects that live until as many others have come; prints the most that the old space ever held. */
const churn = `
import { getHeapSpaceStatistics } from 'node:v8'
const living = 100_000
const kept = new Map()
let most = 0
for (let id = 0; id < 20 * living; id++) {
  kept.set(id, { name: String(id), list: [id] })
  kept.delete(id - living)
  if (id % living !== 0) continue
  const old = getHeapSpaceStatistics().find((each) => each.space_name === 'old_space')
  most = Math.max(most, old.space_used_size)
  await new Promise((resolve) => setImmediate(resolve))
}
console.log(most)
`

async function measureMost(before: string): Promise<number> {
  const args = ['--input-type=module', '--eval', `${before}${churn}`]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}

describe('a heap that grows slowly', () => {
  it('holds much less garbage than one that grows as V8 likes', async () => {
    const call = `import { growHeapSlowly } from ${JSON.stringify(module)}\ngrowHeapSlowly()\n`
    const [usual, slow] = await Promise.all([measureMost(''), measureMost(call)])
    expect(usual).toBeGreaterThan(0)
    expect(slow).toBeLessThan(usual * 0.7)
  })
})
