import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createAccountStore } from '#services/token-issuer/adapters/account-store.ts'
import { createBrokerStore } from '#services/token-issuer/adapters/broker-store.ts'
import { migrations, type TokenIssuerTables } from '#services/token-issuer/tables.ts'
import { createTestRuntime } from '#test/support/services.ts'

const login = { alias: 'idp', interaction: 'i', nonce: 'n', codeVerifier: 'v' }

async function openStores() {
  const runtime = createTestRuntime()
  const database = await openDatabase<TokenIssuerTables>({
    url: 'sqlite::memory:',
    service: 'token-issuer',
    migrations,
    runtime,
  })
  onTestFinished(() => database.destroy())
  const accounts = createAccountStore(database, [], runtime.clock)
  return { runtime, accounts, store: createBrokerStore(database, runtime.clock) }
}

describe('an open login at an external provider', () => {
  it('is valid for the browser that began it, once', async () => {
    const { store } = await openStores()
    await store.begin(login, 'state', 'browser')
    expect(await store.take('idp', 'state', 'browser')).toEqual(login)
    expect(await store.take('idp', 'state', 'browser')).toBeUndefined()
  })

  it.each([
    ['another browser', ['idp', 'state', 'other']],
    ['a browser without the cookie', ['idp', 'state', '']],
    ['the endpoint of another provider', ['other', 'state', 'browser']],
    ['another state', ['idp', 'other', 'browser']],
  ] as const)('is not valid for %s', async (_name, [alias, state, browser]) => {
    const { store } = await openStores()
    await store.begin(login, 'state', 'browser')
    expect(await store.take(alias, state, browser)).toBeUndefined()
  })

  it('ends after 15 minutes', async () => {
    const { store, runtime } = await openStores()
    await store.begin(login, 'state', 'browser')
    runtime.advance(900)
    expect(await store.take('idp', 'state', 'browser')).toBeUndefined()
  })
})

describe('a ticket', () => {
  it('completes its own login, once', async () => {
    const { store } = await openStores()
    const ticket = await store.createTicket('i', 'account')
    expect(await store.redeemTicket('i', ticket)).toBe('account')
    expect(await store.redeemTicket('i', ticket)).toBeUndefined()
  })

  it('completes no other login, and none after a minute', async () => {
    const { store, runtime } = await openStores()
    expect(await store.redeemTicket('j', await store.createTicket('i', 'account'))).toBeUndefined()
    const late = await store.createTicket('i', 'account')
    runtime.advance(60)
    expect(await store.redeemTicket('i', late)).toBeUndefined()
  })
})

it('omits the reserved claims that version 0.1.0 linked to an account', async () => {
  const { accounts } = await openStores()
  const claims = { email: 'eva@third.example', constructor: 'x', cnf: {}, name: 'Eva' }
  const { id } = await accounts.link('wallet', 'subject', claims)
  const found = await accounts.find(id)
  expect(found?.claims).toEqual({ email: 'eva@third.example', name: 'Eva' })
})
