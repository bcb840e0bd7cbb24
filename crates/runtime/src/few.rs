//! Lists that mostly have one element.

/// Appends `items` to a list. Mostly there is one, which costs less to put there than to have copied.
///
/// ```
/// let mut list = vec![1];
/// everyway_runtime::append_few(&mut list, &[2]);
/// everyway_runtime::append_few(&mut list, &[3, 4]);
/// assert_eq!(list, [1, 2, 3, 4]);
/// ```
#[inline(always)]
pub fn append_few<T: Copy>(list: &mut Vec<T>, items: &[T]) {
    match items {
        [item] => list.push(*item),
        _ => list.extend_from_slice(items),
    }
}
