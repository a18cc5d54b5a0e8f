// By the module, not by name: a Node without `crc32` has to get as far as saying that it is too old.
import zlib from 'node:zlib'

/** What stands before the encrypted text of a file; all of it is authenticated. */
export interface EncryptedFileHeader {
  /** Costs of scrypt, one byte each: log2 N, r, p. And the salt, 16 bytes. */
  readonly parameters: Buffer
  /** Eight bytes that follow from the key. */
  readonly keyCheck: Buffer
  /** Twelve bytes. */
  readonly nonce: Buffer
}

/** The letters LEARWALLET and the version of this layout. */
const magic = Buffer.from('LEARWALLET\x01', 'latin1')
const parametersAt = magic.length
const keyCheckAt = parametersAt + 19
const nonceAt = keyCheckAt + 8
const checksumAt = nonceAt + 12
const textAt = checksumAt + 4
const tagLength = 16

/** The header as bytes: magic and version, parameters, check of the key, nonce, CRC-32 of these. */
export function writeHeader({ parameters, keyCheck, nonce }: EncryptedFileHeader): Buffer {
  const fields = Buffer.concat([magic, parameters, keyCheck, nonce])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(zlib.crc32(fields))
  return Buffer.concat([fields, checksum])
}

export interface EncryptedFile extends EncryptedFileHeader {
  readonly header: Buffer
  readonly ciphertext: Buffer
  readonly tag: Buffer
}

/**
 * Takes an encrypted file apart. Undefined where its header is not one that was written: damaged, of
 * another version, or none at all. The checksum is for damage alone; forgeries fail at the tag.
 */
export function parseEncryptedFile(bytes: Uint8Array): EncryptedFile | undefined {
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

/** Says whether somebody encrypted these bytes, whatever became of them since. */
export function looksEncrypted(bytes: Uint8Array): boolean {
  return magic.subarray(0, -1).equals(bytes.subarray(0, magic.length - 1))
}
