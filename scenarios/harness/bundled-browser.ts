import { createReadStream, createWriteStream } from 'node:fs'
import { access, lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { browserFolderNotPrivate, browserMissing, browserNotUnpacked } from '#scenarios/errors.ts'

const decompress = promisify(brotliDecompress)

export interface BundledBrowser {
  readonly executablePath: string
  /**
   * The complete environment for its start: its libraries and fonts, so that none needs to be
   * installed.
   */
  readonly env: Readonly<Record<string, string>>
}

export interface UnpackBundledBrowserOptions {
  /** Where unpacked browsers are cached. Default: below the temporary folder. */
  readonly folder?: string
}

/**
 * Unpacks the Chromium of the npm package @sparticuz/chromium, or finds it already unpacked. The
 * package's `executablePath()` is not used: it writes to a fixed name in the temporary folder and
 * accepts any existing file there, even if incomplete or from another user.
 * @throws TestbedError `browser_missing` on machines for which the package has no binary,
 * `browser_not_unpacked` or `browser_folder_not_private`
 */
export async function unpackBundledBrowser({
  folder = join(tmpdir(), `lear-testbed-${userInfo().uid}`),
}: UnpackBundledBrowserOptions = {}): Promise<BundledBrowser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw browserMissing(process.platform, process.arch)
  }
  const require = createRequire(import.meta.url)
  // The package exports only its entry, build/index.js.
  const packageFolder = dirname(dirname(require.resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  const unpacked = join(folder, `chromium-${version}`)
  try {
    await ensurePrivateFolder(folder)
    if (!(await exists(unpacked))) await unpack(join(packageFolder, 'bin'), folder, unpacked)
  } catch (error) {
    throw isTestbedError(error) ? error : browserNotUnpacked(folder, error as Error)
  }
  return {
    executablePath: join(unpacked, 'chromium'),
    env: {
      HOME: unpacked,
      LANG: 'C.UTF-8',
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LD_LIBRARY_PATH: join(unpacked, 'lib'),
      FONTCONFIG_FILE: join(unpacked, 'fonts.conf'),
    },
  }
}

async function unpack(bin: string, folder: string, target: string): Promise<void> {
  const work = await mkdtemp(join(folder, 'unpacking-'))
  try {
    await Promise.all([
      pipeline(
        createReadStream(join(bin, 'chromium.br')),
        createBrotliDecompress({ chunkSize: 2 ** 21 }),
        createWriteStream(join(work, 'chromium'), { mode: 0o700 }),
      ),
      unpackArchive(join(bin, 'fonts.tar.br'), work),
      unpackArchive(join(bin, 'al2023.tar.br'), work),
    ])
    await writeFile(join(work, 'fonts.conf'), fontConfiguration(target))
    // The slower of two processes finds the folder already filled; both contents are the same.
    await rename(work, target).catch(async (error) => {
      if (!(await exists(target))) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function unpackArchive(archive: string, folder: string): Promise<void> {
  for (const { path, mode, body } of readTar(await decompress(await readFile(archive)))) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), body, { mode })
  }
}

// The bundled fonts first, so that pages look the same everywhere; the machine's fonts for missing
// glyphs.
const fontConfiguration = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <config></config>
</fontconfig>
`

/** A program in a shared temporary folder must not be replaceable by another user. */
async function ensurePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = await lstat(folder)
  if (uid === userInfo().uid && (mode & 0o022) === 0) return
  throw browserFolderNotPrivate(folder)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

export interface TarFile {
  readonly path: string
  readonly mode: number
  readonly body: Buffer
}

/**
 * The plain files of a tar archive in the ustar format (POSIX.1-1988) of npm packages; omits
 * folders and links. Throws a TypeError for a path that leads out of the target folder.
 */
export function readTar(archive: Buffer): TarFile[] {
  const files: TarFile[] = []
  let position = 0
  while (position + 512 <= archive.length && archive[position] !== 0) {
    const header = archive.subarray(position, position + 512)
    const text = (from: number, length: number) =>
      header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12), 8)
    const path = [text(345, 155), text(0, 100)].filter((part) => part !== '').join('/')
    const type = text(156, 1)
    if (path.startsWith('/') || path.split('/').includes('..') || !Number.isSafeInteger(size)) {
      throw new TypeError(`not a path to unpack: ${path}`)
    }
    if (type === '0' || type === '') {
      const body = archive.subarray(position + 512, position + 512 + size)
      files.push({ path, mode: Number.parseInt(text(100, 8), 8) & 0o777, body })
    }
    position += 512 + Math.ceil(size / 512) * 512
  }
  return files
}
