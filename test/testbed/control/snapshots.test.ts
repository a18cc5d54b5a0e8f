import { once } from 'node:events'
import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { createControlClient, realSeconds } from '#scenarios/harness/control-client.ts'
import { answerWith, callJson } from '#test/support/http.ts'
import { openTestbedState, shareTestbed, type TestbedState } from '#test/support/running-testbed.ts'
import { expectReadSince } from '#test/support/timing.ts'
import { createSnapshotStore } from '#testbed/control/create-snapshot-store.ts'
import { installMovableClock } from '#testbed/process/clock.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'

const shared = shareTestbed()
let state: TestbedState
beforeAll(async () => {
  state = await openTestbedState(shared.file)
})

const snapshot = async () => (await state.control('/snapshots', { method: 'POST' })).body.id
const restore = (id: string) => state.control(`/snapshots/${id}/restore`, { method: 'POST' })

describe('a snapshot', () => {
  it('restores all visible state, any number of times', async () => {
    await state.sendMail('kept')
    const before = await state.read()
    const id = await snapshot()
    for (const _time of [1, 2]) {
      await state.changeAll()
      const changed = await state.read()
      for (const part of Object.keys(before)) expect(changed[part]).not.toEqual(before[part])
      expect(await restore(id)).toEqual(answerWith(200, { id }))
      expect(await state.read()).toEqual(before)
    }
  })

  it('restores the offset of the clock from real time', async () => {
    const began = realSeconds()
    await state.control('/clock', { json: { advance_seconds: 1000 } })
    const id = await snapshot()
    await state.control('/clock', { json: { advance_seconds: 5000 } })
    await state.sendMail('later')
    await restore(id)
    const { now } = (await state.control('/clock')).body
    expectReadSince(now, began, 1000)
    const { time } = (await state.control('/pre/mining', { method: 'POST' })).body
    expectReadSince(time, began, 1000)
    // New emails have the time of the clock, regardless of what came before.
    await state.sendMail('after')
    const { items } = (await callJson(`${shared.file.mail.apiUrl}/api/v2/messages`)).body
    expectReadSince(Date.parse(items[0].Created) / 1000, began, 1000)
    await state.control('/clock', { method: 'DELETE' })
  })

  it('keeps token, keys, ports and recorded exchanges', async () => {
    const http = createControlClient({
      ...shared.file.control,
      environment: 'pre',
      scenarioId: () => 'test',
      signal: new AbortController().signal,
    })
    const last = (await http.readTraces(0)).at(-1)?.id ?? 0
    const id = await http.createSnapshot()
    await http.createOffer()
    await http.restoreSnapshot(id)
    expect((await http.readTraces(last)).map(({ to }) => to)).toContain('connector')
    await expect(http.restoreSnapshot('no-such-snapshot')).rejects.toMatchObject({
      extra: { status: 404 },
    })
  })

  it('lists what is saved, with the time of the testbed', async () => {
    const began = realSeconds()
    const id = await snapshot()
    const list = async () =>
      (await state.control('/snapshots')).body.snapshots as { id: string; saved_at: number }[]
    const last = (await list()).at(-1)
    expect(last?.id).toBe(id)
    expectReadSince(last?.saved_at ?? 0, began)
    await state.control(`/snapshots/${id}`, { method: 'DELETE' })
    expect((await list()).map((each) => each.id)).not.toContain(id)
  })

  it('drops later snapshots', async () => {
    const early = await snapshot()
    const late = await snapshot()
    expect((await restore(late)).status).toBe(200)
    expect((await restore(early)).status).toBe(200)
    const { status, body } = await restore(late)
    expect([status, body.error]).toEqual([404, 'unknown_snapshot'])
  })

  it('is deleted when it is dropped, and nothing else is', async () => {
    const ids = [await snapshot(), await snapshot(), await snapshot()]
    const drop = () => state.control(`/snapshots/${ids[1]}`, { method: 'DELETE' })
    expect(await drop()).toEqual(answerWith(200, { id: ids[1] }))
    expect([(await drop()).status, (await restore(ids[1])).status]).toEqual([404, 404])
    expect((await restore(ids[2])).status).toBe(200)
    expect((await restore(ids[0])).status).toBe(200)
  })

  it('requires the control token', async () => {
    const { url } = shared.file.control
    for (const [path, method] of [
      ['/snapshots', 'POST'],
      ['/snapshots/any/restore', 'POST'],
      ['/snapshots/any', 'DELETE'],
    ] as const) {
      expect((await callJson(`${url}${path}`, { method })).status).toBe(401)
    }
  })
})

describe('what services hold in memory', () => {
  it('matches the restored state: a status list shows the current revocations', async () => {
    const { pre, control } = state
    const id = await snapshot()
    const defect = {
      defect: 'revoked',
      holder_did: 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme',
    }
    const listUrl = `${pre.issuerBaseUrl}/credentials/status/1`
    const readBits = async () => {
      const [, payload = ''] = (await (await fetch(listUrl)).text()).split('.')
      const { vc } = JSON.parse(Buffer.from(payload, 'base64url').toString())
      return vc.credentialSubject.encodedList
    }
    const none = await readBits()
    await control('/pre/defective-credentials', { json: defect })
    const first = await readBits()
    await restore(id)
    // As many are revoked as before, in the same minute, but another one.
    await control('/pre/offers', { json: {} })
    await control('/pre/defective-credentials', { json: defect })
    expect([none, first]).not.toContain(await readBits())
    await restore(id)
    expect(await readBits()).toBe(none)
  })
})

describe('a request that does not end', () => {
  it('has its connection closed by a restore, and has no effect', async () => {
    const { pre } = state
    const id = await snapshot()
    const type = 'application/x-www-form-urlencoded'
    const headers = { expect: '100-continue', 'content-type': type }
    const hanging = request(`${pre.credentialIssuerUrl}/token`, { method: 'POST', headers })
    const ended = once(hanging, 'error')
    hanging.flushHeaders()
    await once(hanging, 'continue')
    expect((await restore(id)).status).toBe(200)
    expect((await ended)[0]).toMatchObject({ code: 'ECONNRESET' })
    expect((await fetch(`${pre.credentialIssuerUrl}/health`)).status).toBe(200)
  })
})

describe('createSnapshotStore', () => {
  it('does not modify a database that other programs may use', async () => {
    const clock = installMovableClock()
    clock.uninstall()
    const environment = {
      environment: 'pre',
      chainProcess: {},
      context: { databaseUrl: () => 'postgres://127.0.0.1/shared' },
    } as unknown as RunningEnvironment
    const store = createSnapshotStore({ environments: [environment], states: [], clock })
    const refused = { code: 'foreign_database', status: 409 }
    await expect(store.create()).rejects.toMatchObject(refused)
    await expect(store.restore('any')).rejects.toMatchObject(refused)
    const unknown = { code: 'unknown_snapshot', status: 404 }
    await expect(store.forget('any')).rejects.toMatchObject(unknown)
  })
})
