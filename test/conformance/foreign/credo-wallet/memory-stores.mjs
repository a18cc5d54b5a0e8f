import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto'
import { RecordNotFoundError } from '@credo-ts/core'

/**
 * Keeps Credo's records while the process lives. Glue: its storage engines require native
 * parts.
 */
export class MemoryStorage {
  supportsCursorPagination = false
  #records = new Map()

  async save(_context, record) {
    record.updatedAt = new Date()
    this.#records.set(record.id, record)
  }

  async update(context, record) {
    this.#find(record.constructor, record.id)
    await this.save(context, record)
  }

  async delete(_context, record) {
    this.#find(record.constructor, record.id)
    this.#records.delete(record.id)
  }

  async deleteById(_context, recordClass, id) {
    this.#find(recordClass, id)
    this.#records.delete(id)
  }

  async getById(_context, recordClass, id) {
    return this.#find(recordClass, id).clone()
  }

  async getAll(_context, recordClass) {
    const all = [...this.#records.values()].filter(({ type }) => type === recordClass.type)
    return all.map((record) => record.clone())
  }

  async findByQuery(context, recordClass, query) {
    const all = await this.getAll(context, recordClass)
    return all.filter((record) => matches(record.getTags(), query))
  }

  #find(recordClass, id) {
    const record = this.#records.get(id)
    if (record?.type === recordClass.type) return record
    throw new RecordNotFoundError(`no record ${id}`, { recordType: recordClass.type })
  }
}

function matches(tags, { $and = [], $or, $not = [], ...wanted }) {
  const has = ([name, value]) =>
    Array.isArray(value)
      ? value.every((one) => tags[name]?.includes(one))
      : value === undefined || tags[name] === value
  return (
    Object.entries(wanted).every(has) &&
    $and.every((query) => matches(tags, query)) &&
    ($or?.some((query) => matches(tags, query)) ?? true) &&
    !$not.some((query) => matches(tags, query))
  )
}

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
