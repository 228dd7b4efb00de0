/** Names of Ruby's own methods, and how its own classes run blocks. */

/** Matches the names of methods that are called by name: operators are not. */
export const isMethodName = /^[\p{L}_][\p{L}\p{N}_]*[?!=]?$/u

/**
 * Methods of Ruby that nearly every file calls without a receiver. If a file does not define one itself, its calls are
 * not looked up among the methods of the project.
 */
export const platformMethods: ReadonlySet<string> = new Set(
  `__dir__ __FILE__ __LINE__ __method__ abort at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given?
   caller catch define_method exit extend fail include lambda load loop module_function p prepend print private
   private_class_method private_constant proc protected public puts raise rand require require_relative sleep throw warn`.split(
    /\s+/,
  ),
)

/** Classes whose `new` runs its block with the `self` of the place where it is written. */
export const keptByBlocks: ReadonlySet<string> = new Set(
  "Array Enumerator Enumerator::Lazy Fiber Hash Monitor Mutex Proc Set Thread Tempfile ::Hash ::Thread".split(" "),
)
