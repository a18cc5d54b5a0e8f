import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenarios } from '#scenarios/harness/load-scenarios.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

function createSuites(files: Readonly<Record<string, string>>): string {
  const folder = createTemporaryFolder()
  mkdirSync(join(folder, 'suite'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

describe('loadScenarios', () => {
  it('finds one scenario in each file of a suite, and passes over what else lies there', async () => {
    const folder = createSuites({
      'suite/b.js': "export const scenario = { id: 'suite/b' }",
      'suite/a.ts': "export const scenario: { id: string } = { id: 'suite/a' }",
      'suite/a.d.ts': 'export {}',
      'suite/README.md': '',
      'helper.ts': 'export {}',
    })
    expect((await loadScenarios(folder)).map(({ id }) => id)).toEqual(['suite/a', 'suite/b'])
  })

  it('refuses a scenario whose id is not its path', async () => {
    const folder = createSuites({ 'suite/a.js': "export const scenario = { id: 'suite/b' }" })
    await expect(loadScenarios(folder)).rejects.toThrow(TypeError)
  })

  it('refuses a file without a scenario', async () => {
    await expect(loadScenarios(createSuites({ 'suite/a.js': 'export {}' }))).rejects.toThrow(
      TypeError,
    )
  })

  it('finds a family of scenarios in one file', async () => {
    const family = "export const scenarios = [{ id: 'suite/a-one' }, { id: 'suite/a-two' }]"
    const found = await loadScenarios(createSuites({ 'suite/a.js': family }))
    expect(found.map(({ id }) => id)).toEqual(['suite/a-one', 'suite/a-two'])
  })

  it.each([
    ['none', '[]'],
    ['one of another file', "[{ id: 'suite/a-one' }, { id: 'suite/b-two' }]"],
    ['two of the same id', "[{ id: 'suite/a-one' }, { id: 'suite/a-one' }]"],
  ])('refuses a family with %s', async (_, family) => {
    const folder = createSuites({ 'suite/a.js': `export const scenarios = ${family}` })
    await expect(loadScenarios(folder)).rejects.toThrow(TypeError)
  })
})
