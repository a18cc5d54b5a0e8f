import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAccreditationBody } from '#core/trust/read-accreditation-body.ts'
import { createLog } from '#kit/log.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { runCommand } from '#test/support/run-command.ts'
import {
  codeOf,
  createCredentialRequestBody,
  grantType,
  postForm,
  postJson,
} from '#test/support/start-issuance-system.ts'
import { linkOf, sessionOf } from '#test/support/start-login-system.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { readIssuanceConfiguration } from '#testbed/read-issuance-configuration.ts'
import { startTestbed } from '#testbed/start-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createDidResolver } from '#wallet-emulator/actions/create-did-resolver.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const types = [
  { vcType: 'OrgPortalLearCredential' },
  { vcType: 'OrgMachineCredential', inheritedTypes: ['VerifiableCredential', 'Machine'] },
]

function writeTypes(value: unknown): string {
  const file = join(createTemporaryFolder(), 'types.json')
  writeFileSync(file, JSON.stringify(value))
  return file
}

describe('a testbed with a second credential type', () => {
  it('is accredited for it and issues it, from a file alone', async () => {
    const issuance = readIssuanceConfiguration({ credentialTypes: writeTypes(types) })
    const testbed = await startTestbed({ issuance, log: createLog({ level: 'silent' }) })
    onTestFinished(() => testbed.close())
    const { control, environments } = testbed.file
    const { pre } = environments
    if (!pre) throw new Error('there is no environment pre')

    const offered = await postJson(
      `${control.url}/pre/offers`,
      { vc_type: 'OrgMachineCredential' },
      { authorization: `Bearer ${control.token}` },
    )
    const { searchParams } = new URL(String(offered.body.offer_uri))
    const offer = JSON.parse(searchParams.get('credential_offer') ?? '')
    const credentialIssuer = pre.credentialIssuerUrl
    const token = await postForm(`${credentialIssuer}/token`, {
      grant_type: grantType,
      'pre-authorized_code': codeOf(offer),
    })
    const chain = ['VerifiableCredential', 'Machine', 'OrgMachineCredential']
    const answer = await postJson(
      `${credentialIssuer}/credential`,
      { ...createCredentialRequestBody(credentialIssuer, token.body.c_nonce), types: chain },
      { authorization: `Bearer ${token.body.access_token}` },
    )
    const [, payload = ''] = String(answer.body.credential).split('.')
    const { vc } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(vc.type).toEqual(chain)

    const accreditation = (await (await fetch(vc.termsOfUse.id)).json()) as {
      attribute: { body: string }
    }
    const body = readAccreditationBody(accreditation.attribute.body)
    expect(body?.payload).toMatchObject({
      vc: { credentialSubject: { accreditedFor: [{ types: types.map(({ vcType }) => vcType) }] } },
    })
  })

  it('lets people sign in with it, by its own chain, where it is the only one', async () => {
    const [, machine] = types
    const { credentialTypes } = readIssuanceConfiguration({
      credentialTypes: writeTypes([machine]),
    })
    const testbed = await startTestbed({
      issuance: { credentialTypes },
      log: createLog({ level: 'silent' }),
    })
    onTestFinished(() => testbed.close())
    const { control, environments } = testbed.file
    const { pre } = environments
    if (!pre) throw new Error('there is no environment pre')

    const wallet = createWallet({ http: { allowPrivateAddresses: true } })
    const authorization = `Bearer ${control.token}`
    const { body } = await postJson(`${control.url}/pre/offers`, {}, { authorization })
    await acceptOffer(wallet, String(body.offer_uri))

    const { clientId, redirectUri } = pre.oidcClient
    const browser = createHttpBrowser([redirectUri])
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid openid-vp-lear',
    })
    const page = await browser.get(`${pre.idpBaseUrl}/accounts/authorize?${query}`)
    await present(wallet, linkOf(page), {
      resolveDidDocument: createDidResolver(wallet.http, () => pre.didRegistryBaseUrl),
    })
    const status = await fetch(`${pre.idpBaseUrl}/idp/api/auth/requests?session=${sessionOf(page)}`)
    expect(await status.json()).toEqual({ status: 'SUCCESS' })

    // What is ordered with a defect is of that type too, and offered as it.
    const policy = { broken: 'accept' } as const
    for (const [defect, type] of [
      ['context-order', ['VerifiableCredential', 'Machine', 'OrgMachineCredential']],
      ['inherited-type-missing', ['VerifiableCredential', 'OrgMachineCredential']],
      ['type-other', ['VerifiableCredential', 'Machine', 'OtherCredential']],
    ] as const) {
      const order = { defect }
      const made = await postJson(`${control.url}/pre/defective-credentials`, order, {
        authorization,
      })
      const [accepted] = await acceptOffer(wallet, String(made.body.offer_uri), { policy })
      const [, payload = ''] = accepted?.credential.credential.split('.') ?? []
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).vc.type).toEqual(type)
    }
  })

  it('does not start with a file that has to be mended, and says where', async () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'types.json'), '[\n  { "vcTyp": "OrgMachineCredential" }\n]')
    const args = ['up', '--in-memory', '--port-base', '0', '--credential-types', 'types.json']
    const { exitCode, stderr } = await runCommand(args, { cwd: folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('types.json:2: 0.vcType: ')
    expect(stderr).toContain('types.json:2: 0: ')
  })
})
