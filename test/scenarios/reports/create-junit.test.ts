import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { createJunit } from '#scenarios/reports/create-junit.ts'
import { createResults, createScenarioResult } from '#test/support/results.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

const results = createResults({
  scenarios: [
    createScenarioResult(),
    createScenarioResult({
      algorithm: 'EdDSA',
      verdict: 'failed',
      title: 'Quotes " and <tags> & \u0007 bells',
      failure: {
        expected: { status: 'issued' },
        actual: { status: 'pending' },
        code: 'expectation_failed',
        message: 'it is "]]>" & <b>\u0000</b>\nnot this',
        step: 'asks <somebody>',
        stack: 'Error\n    at x (file:///x/scenarios/suites/issuance/representative.ts:7:9)',
      },
    }),
    createScenarioResult({ suite: 'login', name: 'success', verdict: 'interrupted' }),
    createScenarioResult({
      suite: 'login',
      name: 'success',
      algorithm: 'EdDSA',
      verdict: 'not-run',
    }),
  ],
})

const readSuites = async (options = {}) =>
  (await readXml(browser, createJunit(results, options))).children

const casesOf = (suite: XmlElement | undefined) =>
  suite?.children.filter(({ name }) => name === 'testcase') ?? []

// junit-10.xsd of Jenkins' xUnit plugin: attributes and children of each element, * for required.
const schema: Readonly<Record<string, { attributes: string[]; children: string[] }>> = {
  testsuites: {
    attributes: ['name', 'time', 'tests', 'failures', 'errors'],
    children: ['testsuite'],
  },
  testsuite: {
    attributes: [
      ...['name*', 'tests*', 'failures*', 'errors*', 'group', 'time', 'skipped', 'timestamp'],
      ...['hostname', 'id', 'package', 'file', 'log', 'url'],
    ],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  properties: { attributes: [], children: ['property'] },
  property: { attributes: ['name*', 'value*'], children: [] },
  testcase: {
    // GitLab, and the reporters of GitHub, read a file and a line that the schema knows nothing of.
    attributes: ['name*', 'time', 'classname', 'group', 'file', 'line'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { attributes: ['type', 'message'], children: [] },
  skipped: { attributes: ['type', 'message'], children: [] },
  'system-out': { attributes: [], children: [] },
}

function findSchemaProblems({ name, attributes, children }: XmlElement): string[] {
  const rule = schema[name]
  if (rule === undefined) return [`${name} is no element`]
  const known = rule.attributes.map((each) => each.replace('*', ''))
  const required = rule.attributes.filter((each) => each.endsWith('*'))
  return [
    ...Object.keys(attributes)
      .filter((each) => !known.includes(each))
      .map((each) => `${name} has ${each}`),
    ...required
      .filter((each) => !(each.replace('*', '') in attributes))
      .map((each) => `${name} lacks ${each}`),
    ...children
      .filter((child) => !rule.children.includes(child.name))
      .map((child) => `${name} holds ${child.name}`),
    ...children.flatMap(findSchemaProblems),
  ]
}

describe('createJunit', () => {
  it('keeps to the published schema', async () => {
    const root = await readXml(browser, createJunit({ ...results, pattern: '^x', seed: 'y' }))
    expect(findSchemaProblems(root)).toEqual([])
    const times = root.children.map(({ attributes }) => attributes.time)
    for (const time of times) expect(time).toMatch(/^\d+\.\d{3}$/)
  })

  it('tells in each suite what was run', async () => {
    const xml = createJunit({ ...results, pattern: '^x', shard: '1/2', seed: 's"' })
    for (const suite of (await readXml(browser, xml)).children) {
      const [properties] = suite.children
      expect(properties?.children.map(({ attributes }) => Object.values(attributes))).toEqual([
        ['environment', 'pre'],
        ['seed', 's"'],
        ['pattern', '^x'],
        ['shard', '1/2'],
      ])
    }
  })

  it('gives each case a name of its own: GitLab drops what is named twice', async () => {
    const suites = await readSuites()
    const names = suites.flatMap((suite) =>
      casesOf(suite).map(({ attributes }) => `${attributes.classname} ${attributes.name}`),
    )
    expect(new Set(names).size).toBe(names.length)
  })

  it('names images as GitLab and Jenkins look for them', async () => {
    const paths = ['reports/a-2.png', 'reports/a-1.png']
    const attachments = new Map([['issuance/representative/EdDSA', paths]])
    const [suite] = await readSuites({ attachments })
    const text = casesOf(suite)[1]?.children.find(({ name }) => name === 'system-out')?.text ?? ''
    // GitLab, lib/gitlab/ci/parsers/test/junit.rb: the first one is shown.
    expect(text.match(/\[\[ATTACHMENT\|(?<path>.+?)\]\]/)?.groups?.path).toBe(paths[0])
    // Jenkins: each on a line of its own, without any text before or after.
    for (const path of paths) expect(text.split('\n')).toContain(`[[ATTACHMENT|${path}]]`)
    expect(createJunit(results)).not.toContain('ATTACHMENT')
  })

  it('is well-formed XML with counts that agree', async () => {
    const root = await readXml(browser, createJunit(results))
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: { tests: '4', failures: '1', errors: '0', time: '1.234' },
    })
    expect(
      root.children.map(({ name, attributes }) => [
        name,
        attributes.name,
        attributes.tests,
        attributes.failures,
        attributes.skipped,
      ]),
    ).toEqual([
      ['testsuite', 'scenarios.issuance', '2', '1', '0'],
      ['testsuite', 'scenarios.login', '2', '0', '2'],
    ])
    expect(root.children[0]?.attributes.timestamp).toBe('2026-11-21T10:00:00')
  })

  it('has a case for each scenario with what the readers of JUnit show', async () => {
    const [passed, failed] = casesOf((await readSuites())[0])
    expect(passed?.attributes).toMatchObject({
      classname: 'scenarios.issuance',
      name: 'representative (ES256K): A representative collects a credential',
      file: 'scenarios/suites/issuance/representative.ts',
      time: '0.250',
    })
    expect(passed?.children.map(({ name }) => name)).toEqual(['system-out'])
    expect(failed?.children.map(({ name }) => name)).toEqual(['failure', 'system-out'])
  })

  it('explains a failure with its step and the command that repeats it', async () => {
    const failed = casesOf((await readSuites())[0])[1]
    const failure = failed?.children[0]
    expect(failed?.attributes.name).toContain('Quotes " and <tags> & \uFFFD bells')
    expect(failure?.attributes.type).toBe('expectation_failed')
    expect(failure?.text).toContain('it is "]]>" & <b>\uFFFD</b>')
    expect(failure?.text).toContain('Step: asks <somebody>')
    expect(failure?.text).toContain('-   "status": "issued"\n+   "status": "pending"')
    expect(failed?.attributes).toMatchObject({
      file: 'scenarios/suites/issuance/representative.ts',
      line: '7',
    })
    expect(failure?.text).toContain("testbed run '^issuance/representative/EdDSA$'")
  })

  it('tells scenarios that did not finish as skipped', async () => {
    const cases = casesOf((await readSuites())[1])
    expect(cases.map(({ children }) => children[0]?.attributes.message)).toEqual([
      'interrupted',
      'not run',
    ])
  })
})

interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly children: readonly XmlElement[]
}

// It runs in the browser, whose types are no part of this program.
const reader = `(xml) => {
  const parsed = new DOMParser().parseFromString(xml, 'application/xml')
  const problem = parsed.querySelector('parsererror')
  if (problem) throw new Error(problem.textContent)
  const read = (node) => ({
    name: node.tagName,
    attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    text: node.textContent,
    children: [...node.children].map(read),
  })
  return read(parsed.documentElement)
}`

/** Reads XML with a browser's parser; rejects where it is not well-formed. */
async function readXml(browser: Browser, xml: string): Promise<XmlElement> {
  const page = await browser.newPage()
  try {
    return (await page.evaluate(`(${reader})(${JSON.stringify(xml)})`)) as XmlElement
  } finally {
    await page.close()
  }
}
