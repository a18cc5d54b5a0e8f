import { describe, expect, it } from 'vitest'
import { validateCredential, verifyIssuedCredential } from '#test/support/foreign-verifiers.ts'
import { readQrPng } from '#test/support/images.ts'
import { collectCredential, postJson, power, startIssuanceSystem } from '#test/support/issuance.ts'
import {
  audience,
  openPortalLogin,
  password,
  startTokenIssuer,
} from '#test/support/token-issuer.ts'

describe('a Bearer token that openid-client obtained from the token issuer', () => {
  // @row 1.authentication.1 1.resources-and-their-fields/token-claims-required-by-the-issuer.1
  it('issues a credential that jsqr, did-jwt and ajv accept', async () => {
    const tokenIssuer = await startTokenIssuer()
    const system = await startIssuanceSystem({
      issuer: {
        jwksUri: `${tokenIssuer.baseUrl}/jwks`,
        bearerIssuer: tokenIssuer.baseUrl,
        bearerAudience: audience,
      },
    })
    const { login, page } = await openPortalLogin(tokenIssuer.baseUrl)
    const callback = await login.browser.submit(page.url, { username: 'ana', password })
    const { access_token } = await login.finish(callback.url)

    const qr = await fetch(`${system.issuer.baseUrl}/issuance/representative`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${access_token}` },
      body: JSON.stringify({ power: [power] }),
    })
    expect(qr.status).toBe(200)
    const link = new URL(readQrPng(await qr.arrayBuffer()))
    const answer = await collectCredential(link)
    const { payload } = await verifyIssuedCredential(String(answer.body.credential))
    expect(payload.vc.credentialSubject.mandate).toMatchObject({
      mandator: { organizationIdentifier: 'VATES-A12345678', organization: 'First Organization' },
      mandatee: { employeeId: 'EMP-1', email: 'ana.ruiz@first.example', firstName: 'Ana' },
      power: [power],
    })
    expect(await validateCredential(answer.body.credential)).toEqual([])

    // Its id_token has the same signer but the portal as audience: not a Bearer token for the issuer.
    const refused = await postJson(
      `${system.issuer.baseUrl}/issuance/identifiers`,
      { subject_id: 'x' },
      { authorization: `Bearer ${await idTokenOf(tokenIssuer.baseUrl)}` },
    )
    expect(refused).toMatchObject({ status: 401, body: { detail: 'invalid token' } })
  })
})

async function idTokenOf(baseUrl: string): Promise<string> {
  const { login, page } = await openPortalLogin(baseUrl)
  const callback = await login.browser.submit(page.url, { username: 'ana', password })
  return (await login.finish(callback.url)).id_token ?? ''
}
