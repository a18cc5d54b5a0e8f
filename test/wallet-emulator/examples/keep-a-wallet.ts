import {
  createAccount,
  createFileStore,
  createPassphraseCodec,
  createWallet,
} from '#wallet-emulator/wallet.ts'

const [folder = '', passphrase = ''] = process.argv.slice(2)

const store = createFileStore({ folder, codec: createPassphraseCodec(passphrase) })
if (!(await store.readAccount())) {
  await store.createAccount(createAccount({ curve: 'Ed25519', didMethod: 'jwk' }))
}
const account = await store.readAccount()
const wallet = createWallet({ store, ...(account ? { account } : {}) })

console.log(wallet.account.did)
for (const { id, receivedAt } of await wallet.store.listCredentials()) console.log(id, receivedAt)
