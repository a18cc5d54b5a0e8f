import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto'

const curves = { Ed25519: 'ed25519', 'P-256': 'prime256v1', secp256k1: 'secp256k1' }

/** Keeps Credo's keys while the process lives. Glue: its key store is native. */
export class MemoryKeys {
  backend = 'memory'
  #keys = new Map()

  isOperationSupported(_context, { operation, type, algorithm }) {
    if (operation === 'createKey') return type.crv in curves
    if (operation === 'sign' || operation === 'verify') {
      return ['EdDSA', 'Ed25519', 'ES256', 'ES256K'].includes(algorithm)
    }
    return operation === 'randomBytes' || operation === 'deleteKey'
  }

  async getPublicKey(_context, keyId) {
    return this.#keys.get(keyId)?.publicJwk ?? null
  }

  async createKey(_context, { keyId = randomUUID(), type }) {
    const { privateKey, publicKey } =
      type.kty === 'OKP'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', { namedCurve: curves[type.crv] })
    const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId }
    this.#keys.set(keyId, { privateKey, publicJwk })
    return { keyId, publicJwk }
  }

  async importKey(_context, { privateJwk }) {
    const keyId = privateJwk.kid ?? randomUUID()
    const { d, ...publicJwk } = { ...privateJwk, kid: keyId }
    const privateKey = createPrivateKey({ key: privateJwk, format: 'jwk' })
    this.#keys.set(keyId, { privateKey, publicJwk })
    return { keyId, publicJwk }
  }

  async deleteKey(_context, { keyId }) {
    return this.#keys.delete(keyId)
  }

  async sign(_context, { keyId, algorithm, data }) {
    const key = this.#keys.get(keyId)?.privateKey
    if (!key) throw new Error(`no key ${keyId}`)
    return { signature: new Uint8Array(sign(hashOf(algorithm), data, formOf(key))) }
  }

  async verify(_context, { key: { keyId, publicJwk }, algorithm, data, signature }) {
    const jwk = publicJwk ?? this.#keys.get(keyId)?.publicJwk
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const verified = verify(hashOf(algorithm), data, formOf(key), signature)
    return verified ? { verified, publicJwk: jwk } : { verified: false }
  }

  randomBytes(_context, { length }) {
    return new Uint8Array(randomBytes(length))
  }

  encrypt() {
    throw new Error('nothing is encrypted here')
  }

  decrypt() {
    throw new Error('nothing is encrypted here')
  }
}

const hashOf = (algorithm) => (algorithm.startsWith('ES') ? 'sha256' : null)
const formOf = (key) => ({ key, dsaEncoding: 'ieee-p1363' })
