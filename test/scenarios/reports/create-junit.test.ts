import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { createJunit } from '#scenarios/reports/create-junit.ts'
import { createResults } from '#test/support/create-results.ts'
import { createScenarioResult } from '#test/support/create-scenario-result.ts'
import { readXml } from '#test/support/read-xml.ts'

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
        code: 'expectation_failed',
        message: 'it is "]]>" & <b>\u0000</b>\nnot this',
        step: 'asks <somebody>',
        stack: 'Error\n    at <anonymous>',
      },
    }),
    createScenarioResult({ suite: 'login', name: 'success', verdict: 'interrupted' }),
    createScenarioResult({ suite: 'login', name: 'success', verdict: 'not-run' }),
  ],
})

describe('createJunit', () => {
  it('is well-formed XML with counts that agree', async () => {
    const root = await readXml(browser, createJunit(results))
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: { tests: '4', failures: '1', errors: '0', skipped: '2', time: '1.234' },
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
    const [passed, failed] =
      (await readXml(browser, createJunit(results))).children[0]?.children ?? []
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
    const failed = (await readXml(browser, createJunit(results))).children[0]?.children[1]
    const failure = failed?.children[0]
    expect(failed?.attributes.name).toContain('Quotes " and <tags> & \uFFFD bells')
    expect(failure?.attributes.type).toBe('expectation_failed')
    expect(failure?.text).toContain('it is "]]>" & <b>\uFFFD</b>')
    expect(failure?.text).toContain('Step: asks <somebody>')
    expect(failure?.text).toContain("testbed run '^issuance/representative/EdDSA$'")
  })

  it('tells scenarios that did not finish as skipped', async () => {
    const cases = (await readXml(browser, createJunit(results))).children[1]?.children ?? []
    expect(cases.map(({ children }) => children[0]?.attributes.message)).toEqual([
      'interrupted',
      'not run',
    ])
  })
})
