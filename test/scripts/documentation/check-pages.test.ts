import { beforeAll, describe, expect, it } from 'vitest'
import { createCheckPages } from '../../../scripts/documentation/create-check-pages.ts'

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
