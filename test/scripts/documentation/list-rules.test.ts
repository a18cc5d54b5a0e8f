import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { adviceFor } from '#core/explanation/advice.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { allFaults } from '#wallet-emulator/faults/find-faults.ts'
import { createRulePages } from '../../../scripts/documentation/create-rule-pages.ts'
import { listRules } from '../../../scripts/documentation/list-rules.ts'

const root = join(import.meta.dirname, '../../..')
const rules = listRules().flatMap((list) => list.rules)
const names = new Set(rules.map(({ rule }) => rule))

/** The names of rules in the rows of the code, `rule: 'credential.power'`. */
const namesInCode = globSync(['core/**/*.ts', 'services/**/*.ts', 'conformance/kit/**/*.ts'], {
  cwd: root,
}).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\brule: '([a-z-]+\.[a-z-]+)'/g)].map(
    ([, name = '']) => name,
  ),
)

describe('listRules', () => {
  it('lists every rule of the code, and every rule that a fault or defect breaks', () => {
    const broken = [
      ...allDefects.flatMap(({ rule = [] }) => rule),
      ...allFaults.flatMap(({ expected }) => ('rule' in expected && expected.rule) || []),
    ]
    expect(namesInCode.length).toBeGreaterThan(120)
    expect([...namesInCode, ...broken].filter((name) => !names.has(name))).toEqual([])
  })

  it.each(rules)('$rule says how to fix a message that breaks it', ({ statement, fix }) => {
    expect(fix).toMatch(/^[A-Z].{14,}\.$/)
    expect(fix.match(/[.:](?= [A-Z]|$)/g)?.length ?? 0).toBeLessThanOrEqual(3)
    expect(fix.length).toBeLessThanOrEqual(200)
    expect(fix).not.toBe(statement)
  })

  it.each(rules)('$rule says what to provide if it could not be checked', ({ rule }) => {
    expect(adviceFor(rule)).toMatch(/\.$/)
  })

  it.each(rules.filter(({ rule }) => !/^(signed-result|statement)\./.test(rule)))(
    'the profile describes $rule',
    ({ rule }) => {
      const [file = '', anchor = ''] = paragraphOfRule(rule)?.split('#') ?? []
      const page = readFileSync(join(root, file), 'utf8')
      const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title.toLowerCase().replaceAll(' ', '-'),
      )
      expect(page.includes(`<a id="${anchor}"></a>`) || headings.includes(anchor), anchor).toBe(
        true,
      )
    },
  )
})

describe('createRulePages', () => {
  it('says on the page of each rule how to fix it', () => {
    const pages = createRulePages()
    expect(pages.size).toBe(names.size)
    const page = pages.get('rules/presentation/typ.md')
    expect(page).toContain('## How to fix it\n\nSet typ in the header to JWT.\n')
  })
})
