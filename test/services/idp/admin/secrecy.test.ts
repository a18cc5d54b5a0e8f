import { expect, it } from 'vitest'
import { createLog } from '#kit/log.ts'
import type { TraceSink } from '#kit/traces.ts'
import { administrator, createPanel, startLoginSystem } from '#test/support/login-system.ts'
import { createTestRuntime } from '#test/support/services.ts'

it('neither logs nor traces hold what lets somebody into the panel, or a client in', async () => {
  const written: string[] = []
  const destination = { write: (line: string) => void written.push(line) }
  const traces: TraceSink = {
    enabled: true,
    record: (describe) => written.push(JSON.stringify(describe())),
  }
  const log = createLog({ level: 'trace', destination })
  const runtime = { ...createTestRuntime({ log }), traces }
  const system = await startLoginSystem(undefined, runtime)
  const panel = createPanel(system)
  const wrong = 'a password that is wrong'
  await panel.logIn({ ...administrator, password: wrong })
  await panel.logIn()
  const cookie = panel.cookie.split('=')[1] ?? ''
  const token = panel.csrfToken
  await panel.get('/admin/clients/new')
  const { text } = await panel.submit('/admin/clients', {
    client_id: 'shop',
    name: 'The shop',
    redirect_uris: 'https://shop.example/callback',
    authentication: 'either',
  })
  const secret = /id="client-secret">([^<]*)</.exec(text)?.[1] ?? ''
  const password = 'another, longer password'
  const form = { current_password: administrator.password, password, repeated_password: password }
  const changed = await panel.submit('/admin/account', form)
  expect(changed.status).toBe(200)
  const secrets = [administrator.password, wrong, cookie, token, secret, password]
  expect(secrets.filter((each) => each.length < 12)).toEqual([])
  const all = written.join('\n')
  // What happened is there, by whom and to what.
  for (const shown of [
    'a login to the admin panel failed',
    'a client was created',
    '/admin/account',
  ]) {
    expect(all).toContain(shown)
  }
  expect(secrets.filter((each) => all.includes(each))).toEqual([])
})
