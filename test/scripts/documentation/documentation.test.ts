import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { adviceFor } from '#core/explanation/create-explanation.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { root } from '#test/support/repository.ts'
import { allFaults } from '#wallet-emulator/faults/find-faults.ts'
import { createCheckPages } from '../../../scripts/documentation/create-check-pages.ts'
import { createRulePages, listRules } from '../../../scripts/documentation/create-rule-pages.ts'

describe('the page of a check', () => {
  let pages: Map<string, string>
  beforeAll(async () => {
    pages = await createCheckPages()
  })
  const pageOf = (id: string) => pages.get(`checks/${id}.md`) ?? expect.unreachable()

  it('says what to change, and how to run only this check', () => {
    const [, fix = ''] = pageOf('W23').split('## How to fix it\n\n')
    expect(fix).toMatch(/^Require https:\/\/www\.w3\.org\/ns\/credentials\/v2 as the first/)
    expect(fix).toContain("testbed conformance wallet '^W23$' --target my-wallet.yaml")
  })

  it('describes a system that fails', () => {
    expect(pageOf('I26')).toContain('- An issuer that does not verify the signature of proofs.\n')
  })

  it('shows the claims of a defective credential that differ from those of a valid one', () => {
    const page = pageOf('W23')
    expect(page).toContain('order the defect `context-order`')
    expect(page).toMatch(
      /```diff\n.*"@context": \[\n +\+ +"https:\/\/www\.w3\.org\/2018\/credentials\/v1",\n/s,
    )
  })

  it('shows how a wallet fault changes the message', () => {
    expect(pageOf('I20')).toMatch(
      /--fault pin-wrong-length LINK`\.\n\n {2}```diff\n[^`]* - {3}"tx_code": "4935"\n {2}\+ {3}"tx_code": "493"\n/,
    )
    expect(pageOf('V16')).toContain('+     "typ": "openid4vci-proof+jwt",\n')
  })

  it('shows no difference if only the signature differs', () => {
    const page = pageOf('I26')
    expect(page).toContain('testbed wallet accept --fault proof-bad-signature LINK')
    expect(page).not.toContain('```diff')
  })
})

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
