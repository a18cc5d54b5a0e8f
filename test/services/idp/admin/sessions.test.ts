import { describe, expect, it } from 'vitest'
import { qrExpirationSeconds } from '#kit/defaults.ts'
import {
  linkOf,
  openPanel,
  otherParty,
  type Panel,
  relyingParty,
  sessionOf,
  startLoginSystem,
} from '#test/support/login-system.ts'
import { dumpDatabase, temporaryDatabase } from '#test/support/temporary-folder.ts'

/** The sessions of a list as [status, address], in its order. */
async function list(panel: Panel, query = '') {
  const { text } = await panel.get(`/admin/sessions${query}`)
  const entries = text.matchAll(
    /data-status="(\w+)">[^<]*<\/strong> <a href="(\/admin\/sessions\/[\w-]+)"/g,
  )
  return [...entries].map(([, status = '', address = '']) => [status, address] as const)
}

/** A login up to its page. */
async function begin(system: Awaited<ReturnType<typeof startLoginSystem>>) {
  const login = await system.beginLogin({ party: relyingParty })
  return login.browser.get(login.url)
}

const system = await startLoginSystem()

describe('the list of sessions', () => {
  it('shows status and client, newest first', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    const first = await begin(system)
    system.runtime.advance(2)
    await system.logIn({ party: { ...otherParty } })
    system.runtime.advance(2)
    const refused = await begin(system)
    await system.present(linkOf(refused), { form: { state: 'x' } })
    expect((await list(panel)).map(([status]) => status)).toEqual(['FAILED', 'SUCCESS', 'PENDING'])
    const { text } = await panel.get('/admin/sessions?status=SUCCESS')
    expect(text).toContain(otherParty.clientId)
    expect(text).not.toContain('The &lt;b&gt;relying')
    system.runtime.advance(qrExpirationSeconds)
    expect(await list(panel, '?status=PENDING')).toEqual([])
    expect(await list(panel, '?status=FAILED')).toHaveLength(2)
    const { text: expired } = await panel.get(`/admin/sessions/${sessionOf(first)}`)
    expect(expired).toContain('FAILED (expired)')
    expect((await panel.get('/admin/')).text).toContain('1 succeeded, 2 failed, 0 pending')
  })

  it('has pages, and accepts any query', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    for (let count = 0; count < 27; count++) await begin(system)
    const [newest, older] = [await list(panel), await list(panel, '?page=1')]
    expect([newest.length, older.length]).toEqual([25, 2])
    expect(new Set([...newest, ...older].map(([, address]) => address)).size).toBe(27)
    for (const query of ['?page=-1', '?page=x', '?status=x', '?page=1&page=2', '?page=1e99']) {
      expect((await panel.get(`/admin/sessions${query}`)).status).toBe(200)
    }
  })
})

describe('a session', () => {
  it('is explained rule by rule', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    system.world.publishStatusList([7])
    const login = await begin(system)
    await system.present(linkOf(login))
    const { text } = await panel.get(`/admin/sessions/${sessionOf(login)}`)
    const rules = [...text.matchAll(/data-rule="([\w.-]+)" data-passed="(\w+)"/g)]
    const broken = rules.filter(([, , passed]) => passed === 'false').map(([, rule]) => rule)
    expect(broken).toEqual(['credential.status'])
    const holding = rules.filter(([, , passed]) => passed === 'true').map(([, rule]) => rule)
    for (const rule of [
      'credential.power',
      'credential.signature',
      'presentation.nonce',
      'trust.root',
    ]) {
      expect(holding).toContain(rule)
    }
    for (const service of ['did-registry', 'tir', 'status-list']) {
      expect(text).toMatch(new RegExp(`found</strong>\\s*<b>${service}</b>`))
    }
    expect(text).toContain(
      '<b>How to fix it:</b> <span lang="en">If the credential is revoked, request a new one',
    )
    expect(text.match(/<b>How to fix it:/g)).toHaveLength(1)
    expect(text).toContain(system.world.statusListUrl)
    for (const { did } of [system.world.issuer, system.world.tao, system.world.root]) {
      expect(text).toContain(did)
    }
  })

  it('links a broken rule to its paragraph if the documentation has an address', async () => {
    const documentationUrl = 'https://docs.example/lear'
    const system = await startLoginSystem((config) => ({ ...config, documentationUrl }))
    const panel = await openPanel(system)
    const login = await begin(system)
    await system.present(linkOf(login), { form: { state: 'x' } })
    const { text } = await panel.get(`/admin/sessions/${sessionOf(login)}`)
    expect(text).toContain(
      `<a href="${documentationUrl}/profile/verifier#response-endpoint">docs/profile/verifier.md#response-endpoint</a>`,
    )
  })

  it('that succeeded has no failed rule', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    await system.logIn()
    const [[, address] = ['', '']] = await list(panel)
    const { text } = await panel.get(address)
    expect(text).not.toContain('data-passed="false"')
    expect(text).toContain('data-passed="true"')
    expect(text).toContain(system.world.holder.did)
  })

  it('names the service that did not respond', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    system.runtime.activeFaults.add('tir-down')
    const login = await begin(system)
    await system.present(linkOf(login))
    const { text } = await panel.get(`/admin/sessions/${sessionOf(login)}`)
    expect(text).toMatch(/no response<\/strong>\s*<b>tir<\/b>/)
    expect(text).toContain('No response from tir.')
  })

  it('does not show values that could be presented or redeemed', async () => {
    const databaseUrl = temporaryDatabase()
    const system = await startLoginSystem((config) => ({ ...config, databaseUrl }))
    const panel = await openPanel(system)
    const { redirect_uri: redirect = '' } = await system.present(linkOf(await begin(system)))
    const responseCode = new URL(redirect).searchParams.get('response_code') ?? ''
    const [[, address] = ['', '']] = await list(panel)
    const { text } = await panel.get(address)
    const stored = /"verifier_session_id":"([^"]*)"/.exec(dumpDatabase(databaseUrl))?.[1] ?? ''
    expect(stored.length).toBeGreaterThan(20)
    for (const secret of [responseCode, stored, relyingParty.clientSecret]) {
      expect(text).not.toContain(secret)
    }
    // Neither the presentation nor a credential with its signature.
    expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]{20,}/)
  })

  it('is shown without explanation if the verifier does not answer', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    const login = await begin(system)
    await system.present(linkOf(login), { form: { state: 'x' } })
    system.runtime.activeFaults.add('verifier-down')
    const page = await panel.get(`/admin/sessions/${sessionOf(login)}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('did not return an explanation')
    expect(page.text).toContain('response.state')
  })

  it('has no explanation while it is pending, and is 404 if it is unknown', async () => {
    const panel = await openPanel(system)
    const page = await panel.get(`/admin/sessions/${sessionOf(await begin(system))}`)
    expect(page.text).toContain('nothing has been presented')
    for (const code of ['unknown', 'a%00b', '..%2f', 'x'.repeat(500)]) {
      expect((await panel.get(`/admin/sessions/${code}`)).status).toBe(404)
    }
  })

  it('shows hostile text of a credential as text', async () => {
    const panel = await openPanel(system)
    const payload = system.world.credentialPayload()
    const { credentialSubject } = payload.vc
    const mandatee = {
      ...credentialSubject.mandate.mandatee,
      firstName: '<script>alert(1)</script>',
    }
    const subject = { ...credentialSubject, mandate: { ...credentialSubject.mandate, mandatee } }
    const type = [...payload.vc.type, '<img src=x onerror=alert(1)>']
    const vc = { ...payload.vc, type, credentialSubject: subject }
    const login = await begin(system)
    await system.present(linkOf(login), { credential: system.world.issue({ ...payload, vc }) })
    const { text } = await panel.get(`/admin/sessions/${sessionOf(login)}`)
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).not.toMatch(/<script>|<img/)
  })
})
