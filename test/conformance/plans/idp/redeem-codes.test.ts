import { expect, it } from 'vitest'
import { endCheck, inconclusive } from '#conformance/kit/check.ts'
import type { IdpContext } from '#conformance/plans/idp/context.ts'
import { findEachRejected } from '#conformance/plans/idp/redeem-codes.ts'

/** The finding about an IDP that accepts each token request, and how many logins there were. */
async function findWith(cases: readonly string[], loginsLeft: number) {
  let logins = 0
  const context = {
    target: { client: {} },
    logIn: async () => {
      logins++
      return logins > loginsLeft ? endCheck(inconclusive('No login.')) : { code: 'c' }
    },
    codeForm: ({ code }: { code: string }) => ({ code }),
    requestTokens: async () => ({ method: 'POST', url: 'https://idp.example', status: 200 }),
  } as unknown as IdpContext
  const all = cases.map((what) => ({ what }))
  return { finding: await findEachRejected(context, all, { refusal: {} }), logins }
}

it('keeps what one wrong token request found if the login for the next one fails', async () => {
  const { finding } = await findWith(['without a code', 'with two codes'], 1)
  expect(finding).toMatchObject({ kind: 'broken', actual: 200 })
  expect(finding.reason).toContain('A token request without a code was accepted')
})

it('logs in only for wrong token requests that follow', async () => {
  const { finding, logins } = await findWith(['without a code', 'with two codes'], 9)
  expect(finding.also).toHaveLength(1)
  expect(logins).toBe(2)
})
