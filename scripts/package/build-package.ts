import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { readCommit } from '../../testbed/command-line/read-version.ts'

export interface CompilePackageOptions {
  /** Folder of the repository. */
  readonly root: string
  /** Folders whose modules are compiled. */
  readonly folders: readonly string[]
  /** Patterns of modules in them that are excluded. */
  readonly excluded: readonly string[]
  /**
   * Source files, relative to the root, that consumers import: they and the modules that they
   * mention get types.
   */
  readonly entries: readonly string[]
}

const toJavaScript = (path: string) => path.replace(/\.ts$/, '.js')
const toDeclaration = (path: string) => path.replace(/\.ts$/, '.d.ts')

function compileModule(fileName: string, text: string): string {
  const { outputText } = ts.transpileModule(text, {
    fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      removeComments: true,
    },
  })
  return outputText
}

/** The modules of the package itself that a declaration file mentions. */
function mentionedModules(path: string, text: string, prefixes: ReadonlyMap<string, string>) {
  return ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith('.')) return [join(path, '..', fileName)]
    const prefix = [...prefixes.keys()].find((each) => fileName.startsWith(each))
    if (prefix === undefined) return []
    return [`${prefixes.get(prefix)}${fileName.slice(prefix.length)}`]
  })
}

function createDeclarationProgram({ root, entries }: CompilePackageOptions): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  return ts.createProgram(
    entries.map((entry) => join(root, entry)),
    {
      ...options,
      rootDir: root,
      outDir: root,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
    },
  )
}

/** @throws Error with the compiler's diagnostics */
function declare(program: ts.Program, source: ts.SourceFile): string {
  let declaration = ''
  const { diagnostics } = program.emit(source, (_, text) => {
    declaration = text
  })
  if (diagnostics.length === 0) return declaration
  throw new Error(
    ts.formatDiagnostics(diagnostics, {
      getCurrentDirectory: () => program.getCurrentDirectory(),
      getCanonicalFileName: (name) => name,
      getNewLine: () => '\n',
    }),
  )
}

/**
 * The declarations of the entries and of all modules that they mention: an implementation needs
 * more than its type.
 */
function declareReachable(options: CompilePackageOptions, prefixes: ReadonlyMap<string, string>) {
  const program = createDeclarationProgram(options)
  const declarations = new Map<string, string>()
  const queue = [...options.entries]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const source = program.getSourceFile(join(options.root, path))
    if (source === undefined || declarations.has(toDeclaration(path))) continue
    const text = declare(program, source)
    declarations.set(toDeclaration(path), text)
    queue.push(...mentionedModules(path, text, prefixes))
  }
  return declarations
}

/**
 * Compiles the modules of the repository to JavaScript, and declarations for the entries. Node does
 * not strip types below `node_modules`. Types are not checked here: `npm run check` does.
 * @param prefixes the folders of the `#` prefixes in package.json: `#core/` is `core/`
 * @returns texts by their path, relative to the root like the sources
 * @throws Error with the compiler's diagnostics, if declarations cannot be created
 */
function compilePackage(
  options: CompilePackageOptions,
  prefixes: ReadonlyMap<string, string>,
): Map<string, string> {
  const { root, folders, excluded } = options
  const sources = globSync(`{${folders.join(',')}}/**/*.ts`, {
    cwd: root,
    exclude: excluded,
  }).sort()
  const modules = sources.map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return [toJavaScript(path), compileModule(path, text)] as const
  })
  return new Map([...modules, ...declareReachable(options, prefixes)])
}

/** The modules that run below `node_modules`, including the services' own programs. */
const folders = [
  'core',
  'services',
  'wallet-emulator',
  'scenarios',
  'conformance',
  'testbed',
  'containers',
]

/** Excluded: only `npm run mutants` needs it. */
const excluded = ['conformance/plans/*/mutants.ts']

/**
 * Files that the modules read at run time: page assets, the contracts' bytecode, the titles of
 * clauses, examples of targets, the required Node version, and the image's Dockerfile. Other files
 * in these folders, such as a local wallet or database, are not packed.
 */
const assets = [
  '.nvmrc',
  'containers/Dockerfile',
  'contracts/compiled/*.json',
  'docs/coverage/clauses.tsv',
  'conformance/targets/examples/*.yaml',
  `{${folders.join(',')}}/**/*.{css,js}`,
]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly imports: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

function entriesOf({ exports }: Manifest): string[] {
  return Object.values(exports)
    .map((target) => (typeof target === 'string' ? target : target.default))
    .filter((path) => path.endsWith('.js'))
    .map((path) => path.replace('./dist/', '').replace(/\.js$/, '.ts'))
}

/**
 * The compiled modules keep their `#` imports. A separate package.json maps these, so that the
 * repository's can stay unchanged: Node and TypeScript use the nearest one.
 */
function compiledManifest({ name, version, imports }: Manifest): string {
  const mapped = Object.entries(imports)
    .filter(([, target]) => folders.some((folder) => target.startsWith(`./${folder}/`)))
    .map(([prefix, target]) => [
      `${prefix}.ts`,
      { types: `${target}.d.ts`, default: `${target}.js` },
    ])
  // Many packages have the same version: results name the commit of the kit.
  const manifest = { name, version, gitHead: readCommit(), private: true, type: 'module' }
  return `${JSON.stringify({ ...manifest, imports: Object.fromEntries(mapped) }, null, 2)}\n`
}

/**
 * Fills the folder `dist` with the files that the npm package contains in addition to those of the
 * repository. It is built in a temporary folder and then moved, so that it is complete or does not
 * exist.
 */
export function buildPackage(root: string): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const prefixes = new Map(
    Object.entries(manifest.imports).map(([prefix, target]) => [
      prefix.slice(0, -1),
      target.slice(2, -1),
    ]),
  )
  const compiled = compilePackage(
    { root, folders, excluded, entries: entriesOf(manifest) },
    prefixes,
  )
  const files = new Map<string, string | Buffer>(compiled)
  for (const path of globSync(assets, { cwd: root }).sort()) {
    files.set(path, readFileSync(join(root, path)))
  }
  files.set('package.json', compiledManifest(manifest))

  const dist = join(root, 'dist')
  const unfinished = `${dist}.${process.pid}`
  for (const [path, content] of files) {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true })
    writeFileSync(join(unfinished, path), content)
  }
  rmSync(dist, { recursive: true, force: true })
  renameSync(unfinished, dist)
}
