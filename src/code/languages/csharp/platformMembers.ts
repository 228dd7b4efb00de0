/**
 * Names of methods that the types of .NET have and that programs call most. If nothing is known of a value, a call of
 * such a name is likelier to mean .NET than an extension method of the project.
 */
export const platformMembers: ReadonlySet<string> = new Set(
  `Abs Accept AcceptAsync Add AddAfter AddBefore AddDays AddFirst AddHours AddLast AddMilliseconds AddMinutes AddMonths
   AddOrUpdate AddRange AddSeconds AddTicks AddYears Aggregate All Any Append AppendFormat AppendLine Apply AsEnumerable
   AsMemory AsQueryable AsReadOnly AsSpan AsTask Average BeginInvoke BinarySearch Bind Build Cancel CancelAfter Cast Chunk
   Clear Clone Close CloseAsync Combine Compare CompareTo Compile Complete CompleteAsync Concat Configure ConfigureAwait
   Contains ContainsKey ContainsValue ContinueWith ConvertAll Copy CopyTo CopyToAsync Count Create CreateInstance
   DefaultIfEmpty Delete Deconstruct Dequeue Deserialize Dispose DisposeAsync Distinct DistinctBy DynamicInvoke ElementAt
   ElementAtOrDefault EndInvoke EndsWith Enqueue EnsureCapacity EnterReadLock EnterWriteLock Enumerate Equals Except
   ExceptBy ExceptWith Execute ExecuteAsync ExecuteNonQuery ExecuteReader ExecuteScalar Exists ExitReadLock ExitWriteLock
   Find FindAll FindIndex FindLast First FirstOrDefault Flush FlushAsync ForEach Format Get GetAsync GetAttribute GetAwaiter
   GetBytes GetChars GetConstructor GetConstructors GetCustomAttribute GetCustomAttributes GetElementType GetEnumerator
   GetAsyncEnumerator GetField GetFields GetFiles GetGenericArguments GetGenericTypeDefinition GetHashCode GetInterface
   GetInterfaces GetInvocationList GetLength GetMember GetMembers GetMethod GetMethods GetName GetNames GetOrAdd
   GetParameters GetProperties GetProperty GetRange GetRequiredService GetResult GetSection GetService GetServices GetString
   GetType GetTypeInfo GetTypes GetValue GetValueOrDefault GetValues GroupBy GroupJoin HasFlag Include Index IndexOf
   IndexOfAny Initialize Insert InsertRange Intersect IntersectWith Invoke InvokeAsync IsAssignableFrom IsDefined
   IsInstanceOfType IsMatch IsSubclassOf Join Keys Last LastIndexOf LastOrDefault Load LoadAsync Log LogCritical LogDebug
   LogError LogInformation LogTrace LogWarning LongCount MakeArrayType MakeGenericMethod MakeGenericType Map Match Matches
   Max MaxBy Merge Min MinBy Move MoveNext MoveNextAsync Next NextBytes NextDouble NextResult Normalize OfType Open OpenAsync
   OrderBy OrderByDescending Overlaps PadLeft PadRight Parse Partition Peek Pop Post PostAsync Prepend Publish Pulse Push Put
   Raise Range Read ReadAllBytes ReadAllText ReadAsStringAsync ReadAsync ReadByte ReadBytes ReadLine ReadLineAsync ReadToEnd
   ReadToEndAsync Register Release Remove RemoveAll RemoveAt RemoveRange RemoveWhere Replace Report Reset Resolve Reverse Run
   RunAsync Save SaveAsync SaveChanges SaveChangesAsync Seek Select SelectMany Send SendAsync SequenceEqual Serialize Set
   SetEquals SetLength SetValue Shutdown SignalAndWait SingleOrDefault Single Skip SkipLast SkipWhile Slice Sort Split Start
   StartAsync StartsWith Stop StopAsync Subscribe Substring Subtract Sum SymmetricExceptWith Take TakeLast TakeWhile ThenBy
   ThenByDescending Throw ThrowIfCancellationRequested ToArray ToArrayAsync ToBase64String ToByteArray ToCharArray
   ToDictionary ToDictionaryAsync ToHashSet ToImmutableArray ToImmutableList ToList ToListAsync ToLocalTime ToLookup ToLower
   ToLowerInvariant ToLongDateString ToShortDateString ToString ToUniversalTime ToUpper ToUpperInvariant Trim TrimEnd TrimStart
   TrueForAll TryAdd TryCopyTo TryDequeue TryGet TryGetValue TryParse TryPeek TryPop TryRemove TryTake TryUpdate Union UnionBy
   UnionWith Update Use Values Wait WaitAll WaitAny WaitAsync WaitOne Where With Write WriteAsync WriteByte WriteLine
   WriteLineAsync Zip`.split(/\s+/),
)
