import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planNames } from '#conformance/kit/check.ts'
import { readExample, readTarget } from '#conformance/targets/read-target.ts'
import { shapeOf, targetSchemaOf } from '#conformance/targets/target-shape.ts'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

/** Reads it where the programs and variables are that it names. */
async function read(text: string, plan: (typeof planNames)[number]) {
  const folder = createTemporaryFolder()
  for (const [, program = ''] of text.matchAll(/node ([\w-]+\.mjs)/g)) {
    writeFileSync(join(folder, program), '')
  }
  const variables = [...text.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => [name, `of ${name}`])
  const path = join(folder, 'target.yaml')
  writeFileSync(path, text)
  const environment = { PATH: dirname(process.execPath), ...Object.fromEntries(variables) }
  return readTarget<Record<string, unknown>>(path, plan, environment).catch(
    ({ message, hints }: TestbedError) => {
      // Which line it is, and not only that there is one.
      throw new Error([message, ...hints].join('\n'))
    },
  )
}

describe.each(planNames)('the example of the plan %s', (plan) => {
  it('is a target as it stands', async () => {
    expect((await read(await readExample(plan), plan)).target).toMatchObject({ plan })
  })

  it('is one with everything optional too, and leaves no member out', async () => {
    const text = (await readExample(plan)).replace(/^#(?! \S)/gm, '')
    const { target } = await read(text, plan)
    const known = Object.keys(shapeOf(await targetSchemaOf(plan)).properties ?? {})
    // A program of the target is shown where the kit has addresses to tell it.
    const left = known.filter((name) => !(name in target) && name !== 'start')
    expect(left).toEqual([])
  })

  it('holds no secret', async () => {
    expect(await readExample(plan)).not.toMatch(/(?:privateKey|Secret|apiKey|api-key): (?!\$)/)
  })
})
