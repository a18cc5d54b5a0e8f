import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface CompilePackageOptions {
  /** Folder of the repository. */
  readonly root: string
  /** Folders whose modules are compiled. */
  readonly folders: readonly string[]
  /** Patterns of modules in them that are not. */
  readonly excluded: readonly string[]
  /** Source files, relative to the root, that consumers import: they and what they mention get types. */
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

/** The entries' declarations and those that these lead to: an implementation needs more than its type. */
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
 * Compiles the modules of the repository to JavaScript, and declarations for what consumers import.
 * Node does not strip types below `node_modules`. Types are not checked here: `npm run check` is.
 * @param prefixes what the `#` prefixes of package.json stand for: `#core/` is `core/`
 * @returns texts by their path, relative to the root as the sources are
 * @throws Error with the compiler's diagnostics, where no declarations can be made
 */
export function compilePackage(
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
