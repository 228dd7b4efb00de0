/** The names of languages as people write them. */

/** Returns the name of a language as people write it: `C++` for the id `cpp`, and `Ruby` for `ruby`. */
export const nameOf = (id: string): string =>
  names[id] ??
  id
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ")

/** Names that are more than their id with capital letters. */
const names: Readonly<Record<string, string>> = {
  abap: "ABAP",
  antlr: "ANTLR",
  applescript: "AppleScript",
  asciidoc: "AsciiDoc",
  autohotkey: "AutoHotkey",
  awk: "AWK",
  capnp: "Cap'n Proto",
  cmake: "CMake",
  cobol: "COBOL",
  coffeescript: "CoffeeScript",
  coldfusion: "ColdFusion",
  cpp: "C++",
  csharp: "C#",
  css: "CSS",
  csv: "CSV",
  cue: "CUE",
  edn: "EDN",
  eex: "EEx",
  ejs: "EJS",
  erb: "ERB",
  flatbuffers: "FlatBuffers",
  fsharp: "F#",
  gdscript: "GDScript",
  glsl: "GLSL",
  graphql: "GraphQL",
  hcl: "HCL",
  hlsl: "HLSL",
  html: "HTML",
  ini: "INI",
  javascript: "JavaScript",
  json: "JSON",
  jsp: "JSP",
  latex: "LaTeX",
  notebook: "Jupyter notebooks",
  "objective-c": "Objective-C",
  ocaml: "OCaml",
  openscad: "OpenSCAD",
  php: "PHP",
  powershell: "PowerShell",
  proguard: "ProGuard",
  protobuf: "Protocol Buffers",
  purescript: "PureScript",
  qml: "QML",
  rescript: "ReScript",
  restructuredtext: "reStructuredText",
  scss: "SCSS",
  sql: "SQL",
  toml: "TOML",
  typescript: "TypeScript",
  vhdl: "VHDL",
  vim: "Vim script",
  webassembly: "WebAssembly",
  wgsl: "WGSL",
  xml: "XML",
  yaml: "YAML",
}
