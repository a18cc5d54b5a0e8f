import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Transaction, Wallet } from 'ethers'
import { CompactSign, compactVerify, importJWK } from 'jose'
import { toBuffer } from 'qrcode'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import {
  createSignature,
  createSigningKey,
  parseJws,
  signJws,
  verifyJws,
  verifySignature,
} from '#core/crypto/jws.ts'
import { toHex } from '#core/ethereum/account.ts'
import { parseSignedTransaction, signTransaction } from '#core/ethereum/transaction.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { createVerificationCache } from '#core/verification/verification-cache.ts'
import { readQrPng as readByForeignLibraries } from '#test/support/images.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'
import { compare, type Figure, type Measurement } from './harness.ts'

const secret = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
const hexKey = toHex(secret)
const wallet = new Wallet(hexKey)
const unsigned = {
  from: wallet.address,
  to: `0x${'12'.repeat(20)}`,
  data: `0x${'ab'.repeat(700)}`,
  chainId: '0x7a69',
  gasLimit: '0x100000',
  gasPrice: '0x0',
  value: '0x0',
}
const es256k = createPrivateJwk('secp256k1', secret)
const ed25519 = createPrivateJwk('Ed25519', secret)
const signingKey = createSigningKey(ed25519)
const cache = createVerificationCache()
const payload = { iss: 'did:org:uc-pre:example', vc: 'x'.repeat(1500) }
const encodeUtf8 = (value: string) => new TextEncoder().encode(value)
const text = encodeUtf8(JSON.stringify(payload))
const [joseKey, josePublicKey] = await Promise.all([
  importJWK({ ...ed25519 }, 'EdDSA'),
  importJWK({ ...publicJwkOf(ed25519) }, 'EdDSA'),
])

const signOurs = (nonce: number) =>
  signTransaction({ ...unsigned, nonce: `0x${nonce.toString(16)}` }, hexKey).raw
const signed = Array.from({ length: 8 }, (_, nonce) => signOurs(nonce))
const signEthers = (nonce: number) => {
  const { from: _, ...fields } = unsigned
  return wallet.signTransaction({ ...fields, nonce, type: 0 })
}
async function passTokenByJose(): Promise<unknown> {
  const token = await new CompactSign(encodeUtf8(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA' })
    .sign(joseKey)
  const verified = await compactVerify(token, josePublicKey)
  return JSON.parse(new TextDecoder().decode(verified.payload))
}

const load = (names: readonly string[]) => async () => {
  const imports = names.map((name) => `await import('${name}')`).join(';')
  const args = ['--input-type=module', '--eval', imports]
  await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
}

/**
 * Work that a package of the original choice would also do: our package first, then the original.
 */
const contests = [
  {
    unit: 'transactions signed',
    operations: 300,
    ours: async (index: number) => signOurs(index),
    original: 'ethers',
    peer: signEthers,
  },
  {
    unit: 'transactions read, signer recovered',
    operations: 300,
    ours: async (index: number) => parseSignedTransaction(signed[index & 7] ?? ''),
    original: 'ethers',
    peer: async (index: number) => Transaction.from(signed[index & 7] ?? '').from,
  },
  {
    unit: 'ES256K signatures made and verified',
    operations: 300,
    ours: async () => {
      const signature = createSignature('ES256K', es256k, text)
      return verifySignature('ES256K', publicJwkOf(es256k), text, signature)
    },
    original: '@noble/curves',
    peer: async () => {
      const signature = secp256k1.sign(text, secret)
      return secp256k1.verify(signature, text, secp256k1.getPublicKey(secret), { lowS: false })
    },
  },
  {
    unit: 'EdDSA tokens signed and verified',
    operations: 1000,
    ours: async () => {
      const jws = signJws({ header: { alg: 'EdDSA' }, payload, privateKey: signingKey })
      const publicKey = publicJwkOf(ed25519)
      const parsed = parseJws(jws)
      return parsed.ok && verifyJws({ jws: parsed, publicKey, algorithms: ['EdDSA'], cache })
    },
    original: 'jose',
    peer: passTokenByJose,
  },
  {
    unit: 'processes with Ethereum code loaded',
    operations: 10,
    ours: load(['micro-eth-signer', 'micro-eth-signer/abi.js', 'tiny-secp256k1']),
    original: 'ethers',
    peer: load(['ethers']),
  },
]

export const measurePackages: Measurement = async (say) => {
  const figures: Figure[] = []
  for (const { unit, operations, ours, original, peer } of contests) {
    const loads = [{ concurrency: 1, operations }]
    const sides = {
      ours: { name: 'this testbed', operation: ours },
      peers: [{ name: original, operation: peer, atLeast: 1 }],
    }
    figures.push(...(await compare({ unit, ...sides, loads }, say)))
  }
  return figures
}

/** As long as a credential offer by reference, and different each time. */
const qrTextOf = (index: number) =>
  `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(
    `http://127.0.0.1:4003/credential-offer/${String(index).padStart(43, 'x')}`,
  )}`.padEnd(250, '&')

function expectQrText(read: string | undefined, index: number) {
  if (read !== qrTextOf(index)) throw new Error('the QR code was not read correctly')
}

export const measureQrCodes: Measurement = (say) =>
  compare(
    {
      unit: 'codes',
      ours: {
        name: 'this testbed',
        async operation(index) {
          const read = readQrPng(createQrPng(qrTextOf(index)))
          expectQrText(read.ok ? read.text : undefined, index)
        },
      },
      peers: [
        {
          name: 'qrcode, pngjs and jsqr',
          async operation(index) {
            const png = await toBuffer(qrTextOf(index), { scale: 6 })
            expectQrText(readByForeignLibraries(png), index)
          },
          atLeast: 8,
        },
      ],
      loads: [{ concurrency: 1, operations: 100 }],
    },
    say,
  )
