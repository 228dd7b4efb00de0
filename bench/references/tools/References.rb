# Says which methods the tests of a Ruby project call, and what its constants mean, by running them.
#
#   ruby -r ./References.rb -I lib -I test -e 'Dir["./test/**/*_test.rb"].each { |file| require file }' > calls.json
#
# Run it in the folder of the project, with OUTPUT naming the file for the result. A call counts for the line that its
# caller is at. Names that the project does not define are not watched.
require "json"
require "set"
require "parser/current"

module References
  ROOT = "#{File.realpath(Dir.pwd)}/"
  FILES = Dir["**/*.rb"].reject { |file| file.start_with?("vendor/") }
  NAMES = Set.new
  CONSTANTS = []
  # "file:line name" of a call, and the methods that it ran: "file:line" or "elsewhere".
  CALLS = Hash.new { |all, key| all[key] = Set.new }
  METHODS = {}
  # The lines of classes and modules: file, first line, last line.
  RANGES = []

  def self.read(file)
    buffer = Parser::Source::Buffer.new(file, source: File.read(file))
    # Strings in the source may hold any bytes.
    builder = Parser::Builders::Default.new
    builder.define_singleton_method(:string_value) { |token| value(token) }
    parser = Parser::CurrentRuby.new(builder)
    parser.diagnostics.consumer = nil
    walk(parser.parse(buffer), file, [])
  rescue Parser::SyntaxError, EncodingError
    nil
  end

  def self.walk(node, file, nesting)
    return unless node.is_a?(Parser::AST::Node)

    case node.type
    when :def, :defs
      NAMES << node.children[node.type == :def ? 0 : 1]
      RANGES << [file, node.location.line, node.location.last_line]
    when :class, :module
      name = node.children[0].location.expression.source
      walk(node.children[0].children[0], file, nesting)
      walk(node.children[1], file, nesting) if node.type == :class
      full = name.start_with?("::") ? name[2..] : [nesting[0], name].compact.join("::")
      RANGES << [file, node.location.line, node.location.last_line, full]
      return walk(node.children.last, file, [full, *nesting])
    when :const
      CONSTANTS << [file, node.location.name.line, node.location.expression.source, nesting]
    end
    node.children.each { |each| walk(each, file, nesting) }
  end

  # What a constant of the source means where it stands, by the rules of the language.
  def self.resolve(source, nesting)
    first, *rest = source.delete_prefix("::").split("::").map(&:to_sym)
    modules = source.start_with?("::") ? [] : nesting.map { |name| Object.const_get(name) }
    holder = modules.find { |each| each.const_defined?(first, false) }
    holder ||= modules.first if modules.first&.const_defined?(first)
    holder ||= Object
    name = first
    rest.each do |following|
      holder = holder.const_get(name)
      name = following
    end
    value = holder.const_get(name)
    owner = holder.ancestors.find { |each| each.const_defined?(name, false) } || Object
    path, line = owner.const_source_location(name, false)
    return unless path&.start_with?(ROOT)

    [path.delete_prefix(ROOT), line, name, owner == Object ? name : "#{owner}::#{name}", value.class]
  rescue NameError, LoadError, NoMethodError, ArgumentError, TypeError
    nil
  end

  def self.start
    FILES.each { |file| read(file) }
    NAMES << :new
    @trace = TracePoint.new(:call, :c_call) do |point|
      next unless NAMES.include?(point.method_id)

      at = caller_locations(point.event == :call ? 2 : 1, 1)&.first
      path = at&.path
      next unless path&.start_with?(ROOT) || (path && File.exist?(path) && !path.start_with?("/"))

      callee = point.event == :call ? point.path : nil
      own = callee&.start_with?(ROOT)
      target = own ? "#{callee.delete_prefix(ROOT)}:#{point.lineno}" : "elsewhere"
      METHODS[target] ||= [point.method_id, point.defined_class.to_s] if own
      CALLS["#{path.delete_prefix(ROOT)}:#{at.lineno} #{point.method_id}"] << target
      # An override runs for the method that it overrides.
      next unless own

      point.defined_class.ancestors.each do |each|
        over = each.instance_method(point.method_id) if each.instance_methods(false).include?(point.method_id)
        file, line = over&.source_location
        next unless file&.start_with?(ROOT)

        CALLS["#{path.delete_prefix(ROOT)}:#{at.lineno} #{point.method_id}"] << "over #{file.delete_prefix(ROOT)}:#{line}"
      end
    end
    @trace.enable
  end

  def self.finish
    @trace.disable
    constants = CONSTANTS.filter_map do |file, line, source, nesting|
      meaning = resolve(source, nesting)
      { file: file, line: line, source: source, meaning: meaning }
    end
    File.write(ENV.fetch("OUTPUT"), JSON.generate(
      ruby: RUBY_VERSION, calls: CALLS.transform_values(&:to_a), methods: METHODS, ranges: RANGES, constants: constants
    ))
  end
end

References.start
at_exit { at_exit { References.finish } }
