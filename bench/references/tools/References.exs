# Says what the modules of an Elixir project use, by compiling them under a tracer.
#
#   elixir References.exs OUTPUT "lib/**/*.ex" "test/**/*.exs" ...
#
# Run it in the folder of the project. Files are compiled in the order of the arguments, tests are not run. The output has
# a line for each definition, `definition FILE LINE KIND MODULE NAME ARITY`, and for each use, `use FILE LINE KIND MODULE NAME
# ARITY`; of a module, the name is `-`.
defmodule References do
  @root File.cwd!()

  def start(output) do
    {:ok, file} = File.open(output, [:write, :utf8])
    :persistent_term.put(__MODULE__, file)
  end

  def trace({kind, meta, module, name, arity}, env)
      when kind in [:remote_function, :remote_macro, :imported_function, :imported_macro],
      do: write("use", env, meta, kind, module, name, arity)

  def trace({kind, meta, name, arity}, env) when kind in [:local_function, :local_macro],
    do: write("use", env, meta, kind, env.module, name, arity)

  def trace({:alias_reference, meta, module}, env), do: write("use", env, meta, :module, module, "-", 0)
  def trace({:struct_expansion, meta, module, _}, env), do: write("use", env, meta, :module, module, "-", 0)

  def trace({:on_module, bytecode, _}, env) do
    write("definition", env, [line: env.line], :module, env.module, "-", 0)

    with {:ok, {_, [debug_info: {:debug_info_v1, _, {:elixir_v1, %{definitions: definitions}, _}}]}} <-
           :beam_lib.chunks(bytecode, [:debug_info]) do
      for {{name, arity}, kind, meta, _} <- definitions,
          do: write("definition", env, meta, kind, env.module, name, arity)
    end

    :ok
  end

  def trace(_, _), do: :ok

  defp write(sort, env, meta, kind, module, name, arity) do
    line = Keyword.get(meta, :line, env.line)
    # Code of a macro with `location: :keep` stands in another file.
    file = with {file, line} <- meta[:keep], do: {Path.expand(file, @root), line}
    {file, line} = if file, do: file, else: {env.file, line}

    if is_atom(module) and String.starts_with?(file, @root <> "/") do
      path = Path.relative_to(file, @root)
      IO.puts(:persistent_term.get(__MODULE__), Enum.join([sort, path, line, kind, inspect(module), name, arity], "\t"))
    end

    :ok
  end
end

[output | patterns] = System.argv()
References.start(output)
Code.put_compiler_option(:tracers, [References])
Code.put_compiler_option(:ignore_module_conflict, true)
ExUnit.start(autorun: false)

# Tests of documentation read it from compiled files.
compiled = Path.join(System.tmp_dir!(), "references-#{System.pid()}")
File.mkdir_p!(compiled)
Code.prepend_path(compiled)

for pattern <- patterns do
  files = Path.wildcard(pattern)

  if Path.extname(pattern) == ".exs" do
    for file <- files do
      try do
        Code.compile_file(file)
      rescue
        error -> IO.puts(:stderr, "#{file}: #{Exception.message(error)}")
      end
    end
  else
    Kernel.ParallelCompiler.compile_to_path(Enum.map(files, &Path.expand/1), compiled)
  end
end

File.rm_rf!(compiled)
