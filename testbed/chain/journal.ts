import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { restrictAccess } from '#kit/files.ts'
import { journalDamaged, journalMismatch } from './errors.ts'

/**
 * Parameters that must be the same for a replay to give the same hashes; the journal's first entry.
 */
export interface JournalHeader {
  readonly version: 1
  readonly chainId: number
  /** Time of the genesis block, Unix seconds. */
  readonly genesisTime: number
}

/** A raw transaction that was confirmed to a client as accepted. */
interface AcceptedEntry {
  readonly accepted: string
}

/** A block: contains the earlier accepted transactions that fit, at this time (Unix seconds). */
export interface MinedEntry {
  /**
   * Set before the block was mined. Absent in journals of 0.1.0: the network chose it by EIP-1559.
   */
  readonly baseFee?: 0
  readonly mined: {
    readonly number: number
    readonly time: number
    readonly hash: string
    readonly transactions: readonly string[]
  }
}

export type JournalEntry = AcceptedEntry | MinedEntry

/** Entries since the genesis block, in the order in which they changed the chain. */
export interface Journal {
  readonly header: JournalHeader
  /** The entries of the journal when it was opened. */
  readonly entries: readonly JournalEntry[]
  /** Bytes of a torn last entry that were cut off when the journal was opened. */
  readonly cutBytes: number
  /** Length in bytes, to which a restored snapshot returns. */
  readonly position: number
  /** Writes the entries to the operating system: they survive the end of this process. */
  append(entries: readonly JournalEntry[]): void
  /** Forces the appended entries to the disk: they survive a crash of the machine. */
  sync(): void
  /** Throws if there is no room for more entries. */
  requireSpace(): void
  /** Drops every entry after `position`. */
  truncate(position: number): void
  close(): void
}

const probeBytes = 65_536

const encode = (value: JournalHeader | JournalEntry): string => {
  const text = JSON.stringify(value)
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`
}

function decode(line: string): unknown {
  const text = line.slice(9)
  if (line[8] !== ' ' || crc32(text) !== Number.parseInt(line.slice(0, 8), 16)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const empty = { values: [], length: 0, size: 0 }

/** Reads whole entries; the rest after the last whole entry is torn if no intact entry follows. */
function readJournal(path: string): { values: unknown[]; length: number; size: number } {
  const bytes = readFileSync(path)
  const values: unknown[] = []
  let length = 0
  let torn: number | undefined
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline
    const value = newline === -1 ? undefined : decode(bytes.toString('utf8', start, end))
    if (value === undefined) torn ??= values.length
    else if (torn !== undefined) throw journalDamaged(path, torn)
    else {
      values.push(value)
      length = end + 1
    }
    start = end + 1
  }
  return { values, length, size: bytes.length }
}

/**
 * Opens the chain's journal, or starts one with `header`. Each entry is a line: CRC-32, space,
 * JSON. A torn last entry is cut off: the process died while writing it, before it answered the
 * client.
 * @throws TestbedError `journal_damaged`, or `journal_mismatch` if it belongs to a different chain
 * id
 */
export function openJournal(path: string, header: JournalHeader): Journal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const { values, length, size } = existsSync(path) ? readJournal(path) : empty
  const [found, ...entries] = values as [JournalHeader | undefined, ...JournalEntry[]]
  if (found !== undefined && (found.chainId !== header.chainId || found.version !== 1)) {
    throw journalMismatch(path, found.chainId, header.chainId)
  }
  const file = openSync(path, 'a', 0o600)
  restrictAccess(path, 0o600)
  let position = length
  if (size > length) ftruncateSync(file, length)

  const write = (text: string) => {
    const bytes = Buffer.from(text)
    try {
      let written = 0
      while (written < bytes.length) written += writeSync(file, bytes, written)
    } catch (cause) {
      // A full disk leaves half an entry: remove it, so that later entries stay readable.
      ftruncateSync(file, position)
      throw cause
    }
    position += bytes.length
  }
  if (found === undefined) {
    write(encode(header))
    fsyncSync(file)
  }

  return {
    header: found ?? header,
    entries,
    cutBytes: size - length,
    get position() {
      return position
    },
    append: (added) => write(added.map(encode).join('')),
    sync: () => fdatasyncSync(file),
    requireSpace() {
      const before = position
      write(' '.repeat(probeBytes))
      ftruncateSync(file, before)
      position = before
    },
    truncate(to) {
      ftruncateSync(file, to)
      fdatasyncSync(file)
      position = to
    },
    close: () => closeSync(file),
  }
}
