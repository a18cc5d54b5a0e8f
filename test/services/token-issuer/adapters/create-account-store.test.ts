import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createAccountStore } from '#services/token-issuer/adapters/create-account-store.ts'
import { migrations } from '#services/token-issuer/migrations.ts'
import type { TokenIssuerTables } from '#services/token-issuer/tables.ts'
import { createTestRuntime } from '#test/support/create-test-runtime.ts'

it('leaves out the reserved claims that version 0.1.0 linked to an account', async () => {
  const runtime = createTestRuntime()
  const options = { url: 'sqlite::memory:', service: 'token-issuer', migrations, runtime }
  const database = await openDatabase<TokenIssuerTables>(options)
  onTestFinished(() => database.destroy())
  const accounts = createAccountStore(database, [], runtime.clock)
  const claims = { email: 'eva@third.example', constructor: 'x', cnf: {}, name: 'Eva' }
  const { id } = await accounts.link('wallet', 'subject', claims)
  const found = await accounts.find(id)
  expect(found?.claims).toEqual({ email: 'eva@third.example', name: 'Eva' })
})
