import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  type ScryptOptions,
  scrypt,
} from 'node:crypto'
import zlib from 'node:zlib'
import { walletError } from '../wallet-error.ts'

// A namespace import, so that an old Node without `crc32` can still report that it is too old.

/** The header of an encrypted file; all of it is authenticated. */
interface EncryptedFileHeader {
  /** The costs of scrypt, one byte each (log2 N, r, p), and the salt, 16 bytes. */
  readonly parameters: Buffer
  /** Eight bytes derived with the key. */
  readonly keyCheck: Buffer
  /** Twelve bytes. */
  readonly nonce: Buffer
}

/** The letters LEARWALLET and the version of the format. */
const magic = Buffer.from('LEARWALLET\x01', 'latin1')
const parametersAt = magic.length
const keyCheckAt = parametersAt + 19
const nonceAt = keyCheckAt + 8
const checksumAt = nonceAt + 12
const textAt = checksumAt + 4
const tagLength = 16

/**
 * Serializes the header: magic and version, parameters, key check, nonce, and the CRC-32 of these.
 */
function writeHeader({ parameters, keyCheck, nonce }: EncryptedFileHeader): Buffer {
  const fields = Buffer.concat([magic, parameters, keyCheck, nonce])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(zlib.crc32(fields))
  return Buffer.concat([fields, checksum])
}

interface EncryptedFile extends EncryptedFileHeader {
  readonly header: Buffer
  readonly ciphertext: Buffer
  readonly tag: Buffer
}

/**
 * Parses an encrypted file. Undefined if its header is damaged, missing or of another version. The
 * checksum only detects damage; the tag detects forgeries.
 */
function parseEncryptedFile(bytes: Uint8Array): EncryptedFile | undefined {
  const file = Buffer.from(bytes)
  if (file.length < textAt + tagLength || !file.subarray(0, parametersAt).equals(magic)) {
    return undefined
  }
  if (zlib.crc32(file.subarray(0, checksumAt)) !== file.readUInt32BE(checksumAt)) return undefined
  return {
    parameters: file.subarray(parametersAt, keyCheckAt),
    keyCheck: file.subarray(keyCheckAt, nonceAt),
    nonce: file.subarray(nonceAt, checksumAt),
    header: file.subarray(0, textAt),
    ciphertext: file.subarray(textAt, -tagLength),
    tag: file.subarray(-tagLength),
  }
}

/** True if the bytes are an encrypted file, even a damaged one. */
export function looksEncrypted(bytes: Uint8Array): boolean {
  return magic.subarray(0, -1).equals(bytes.subarray(0, magic.length - 1))
}

/**
 * Converts the content of a store to bytes and back, for example for encryption. `name` is the
 * file's path in the wallet's folder.
 */
export interface StoreCodec {
  encode(text: string, name: string): Promise<Uint8Array> | Uint8Array
  /** Rejects or throws if the codec did not create the bytes. */
  decode(bytes: Uint8Array, name: string): Promise<string> | string
}

/** How expensive guessing a passphrase is. */
export interface PassphraseCodecOptions {
  /**
   * Cost of deriving a key from the passphrase (RFC 7914); N is a power of two. Default: N = 2^17,
   * r = 8, p = 1, which needs 128 MiB and some tenths of a second. Each file stores its cost, so a
   * change applies only to new files.
   */
  readonly cost?: Partial<ScryptCost>
}

/** The parameters of scrypt (RFC 7914). */
export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

interface DerivedKey {
  readonly key: Buffer
  /** Distinguishes a wrong passphrase from a damaged file. Does not reveal the key. */
  readonly keyCheck: Buffer
}

const algorithm = 'aes-256-gcm'

// The maximum cost of a key that a file can request.
const most = { logN: 20, r: 16, p: 4, bytes: 2 ** 30 }

/**
 * Encrypts the files of a file store: AES-256-GCM with a random nonce per file and a key that
 * scrypt derives from the passphrase and a random salt. The header and the name of the file are
 * authenticated, so that files cannot be swapped. A codec derives one key per salt and continues
 * with the salt of the first file that it reads. Decoding rejects with a TestbedError
 * `wrong_passphrase`, or `store_damaged` if the bytes were modified.
 */
export function createPassphraseCodec(
  passphrase: string,
  { cost: { N = 2 ** 17, r = 8, p = 1 } = {} }: PassphraseCodecOptions = {},
): StoreCodec {
  if (passphrase === '') throw new TypeError('the passphrase is empty')
  if (!isWithinLimits(Math.log2(N), r, p)) throw new TypeError('the cost is outside the limits')
  const secret = passphrase.normalize('NFKC')
  const keys = new Map<string, Promise<DerivedKey>>()
  let own: Buffer | undefined

  function keyFor(parameters: Buffer): Promise<DerivedKey> {
    const name = parameters.toString('hex')
    const known = keys.get(name)
    if (known) return known
    const derived = deriveKey(secret, parameters)
    keys.set(name, derived)
    // A derivation that failed can be repeated later.
    derived.catch(() => keys.delete(name))
    return derived
  }

  return {
    async encode(text, name) {
      own ??= Buffer.concat([Buffer.from([Math.log2(N), r, p]), randomBytes(16)])
      const parameters = own
      const { key, keyCheck } = await keyFor(parameters)
      const nonce = randomBytes(12)
      const header = writeHeader({ parameters, keyCheck, nonce })
      const cipher = createCipheriv(algorithm, key, nonce)
      cipher.setAAD(Buffer.concat([header, Buffer.from(name)]))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([header, ciphertext, cipher.getAuthTag()])
    },

    async decode(bytes, name) {
      const file = parseEncryptedFile(bytes)
      const [logN = 0, r = 0, p = 0] = file?.parameters ?? []
      if (!file || !isWithinLimits(logN, r, p)) throw damaged()
      const { key, keyCheck } = await keyFor(file.parameters)
      if (!file.keyCheck.equals(keyCheck)) {
        throw walletError('wrong_passphrase', 'The passphrase is wrong for this wallet.')
      }
      const decipher = createDecipheriv(algorithm, key, file.nonce, {
        authTagLength: file.tag.length,
      })
      decipher.setAAD(Buffer.concat([file.header, Buffer.from(name)]))
      decipher.setAuthTag(file.tag)
      const start = decipher.update(file.ciphertext)
      try {
        const text = Buffer.concat([start, decipher.final()]).toString('utf8')
        own ??= file.parameters
        return text
      } catch (cause) {
        throw damaged(cause)
      }
    },
  }
}

function isWithinLimits(logN: number, r: number, p: number): boolean {
  return (
    [logN, r, p].every((value) => Number.isInteger(value) && value >= 1) &&
    logN <= most.logN &&
    r <= most.r &&
    p <= most.p &&
    128 * 2 ** logN * r <= most.bytes
  )
}

async function deriveKey(secret: string, parameters: Buffer): Promise<DerivedKey> {
  const [logN = 0, r = 0, p = 0] = parameters
  const N = 2 ** logN
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p) + 2 ** 20 }
  const derived = await new Promise<Buffer>((resolve, reject) => {
    scrypt(secret, parameters.subarray(3), 64, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
  const keyCheck = createHash('sha256').update(derived.subarray(32)).digest().subarray(0, 8)
  return { key: derived.subarray(0, 32), keyCheck }
}

function damaged(cause?: unknown) {
  const message = 'The encrypted data is damaged.'
  return walletError('store_damaged', message, { cause })
}
